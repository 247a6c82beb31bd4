import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeDescriptions } from '../src/descriptions.ts'

/** Writes the descriptions that the service serves into a folder, for a release: those of a service on this machine. */

const [folder = 'dist'] = process.argv.slice(2)
const made = makeDescriptions({ publicUrl: 'http://127.0.0.1:3001', socketUrl: 'ws://127.0.0.1:48522' })
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(made).filter(([name]) => name.endsWith('.json'))) {
  writeFileSync(path.join(folder, name), text)
  console.log(`${path.join(folder, name)}: ${text.byteLength} bytes`)
}
