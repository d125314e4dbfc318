#!/usr/bin/env node
// Checks fingerprint and hash of run cards. It shares no code with Lydian: JSON.stringify writes numbers and strings as
// RFC 8785 asks, so sorting the keys is all that has to be added.
//
//     node scripts/verify-card.mjs CARD...
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${members.join(',')}}`
}

function components(card) {
  const whole = card.selection.complete
  const ids = card.selection.entry_ids.map(String)
  return {
    batch_size: card.batch_size ?? 1,
    condition: card.condition,
    'dataset.sha256': whole ? card.dataset.sha256 : sha256(`${card.dataset.sha256}:${sha256(canonical(ids))}`),
    harness_version: card.harness_version,
    model_slug: card.model_slug,
    system_prompt_sha256: card.system_prompt_sha256,
    temperature: card.temperature,
    tools_enabled: [...card.tools_enabled].sort()
  }
}

function setupComponents(card) {
  const { coaching_data_sha256, endpoint, fst_version, max_retries, method_sha256, parameters, post_processing, seed } = card
  return {
    ...components(card),
    coaching_data_sha256, endpoint, fst_version, max_retries, method_sha256, parameters, post_processing, seed
  }
}

let wrong = 0
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8')
  const card = JSON.parse(text)
  const setup = canonical(components(card))
  const checks = {
    'canonical bytes': text === canonical(card) + '\n',
    run_card_hash: sha256(canonical({ ...card, run_card_hash: '' })) === card.run_card_hash,
    fingerprint: sha256(setup) === card.fingerprint,
    setup_fingerprint: sha256(canonical(setupComponents(card))) === card.setup_fingerprint,
    system_prompt_sha256: sha256(card.system_prompt_used) === card.system_prompt_sha256
  }
  console.log(`${file}\n  ${setup}\n  ${sha256(setup)}`)
  for (const [name, holds] of Object.entries(checks)) {
    console.log(`  ${holds ? 'holds' : 'DIFFERS'}  ${name}`)
    if (!holds) wrong += 1
  }
}
process.exit(wrong === 0 ? 0 : 1)
