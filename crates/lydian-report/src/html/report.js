"use strict";
document.querySelectorAll("section.run-entries").forEach(function (section) {
  var table = section.querySelector("table.entries");
  if (!table) return;
  var body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows);
  var form = section.querySelector("form.filter"), status = section.querySelector("[role=status]");
  form.hidden = false;
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  function apply() {
    var text = form.elements.text.value.toLocaleLowerCase(), outcome = form.elements.outcome.value;
    var flagged = form.elements.flagged.checked, shown = 0;
    rows.forEach(function (row) {
      var visible = (!text || row.textContent.toLocaleLowerCase().indexOf(text) >= 0) &&
        (!outcome || row.dataset.outcome === outcome) && (!flagged || row.dataset.flagged === "1");
      row.hidden = !visible;
      if (visible) shown += 1;
    });
    status.textContent = shown + " of " + rows.length + " entries shown";
  }
  form.addEventListener("input", apply);
  Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell, column) {
    if (!cell.hasAttribute("data-sort")) return;
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    cell.textContent = "";
    cell.appendChild(button);
    button.addEventListener("click", function () {
      var down = cell.getAttribute("aria-sort") === "ascending";
      Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) { other.removeAttribute("aria-sort"); });
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      var numeric = cell.getAttribute("data-sort") === "number";
      var key = function (row) {
        var text = row.cells[column].textContent.trim();
        if (!numeric) return text.toLocaleLowerCase();
        var value = parseFloat(text);
        return isNaN(value) ? Infinity : value;
      };
      rows.sort(function (a, b) {
        var x = key(a), y = key(b), order = x < y ? -1 : x > y ? 1 : 0;
        return down ? -order : order;
      });
      rows.forEach(function (row) { body.appendChild(row); });
    });
  });
  apply();
});
