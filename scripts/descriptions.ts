import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { api, documentTopics, ephemeralTopics } from '../src/app.ts'
import { describeApi } from '../src/infra/http/openapi.ts'
import { publishedText } from '../src/infra/http/openapi-sharing.ts'
import { describeRealtime } from '../src/infra/realtime/description/asyncapi.ts'
import { publishedRealtime } from '../src/infra/realtime/description/asyncapi-sharing.ts'

/** Writes the descriptions that the service serves into a folder, for a release: those of a service on this machine. */

const [folder = 'dist'] = process.argv.slice(2)
const realtime = describeRealtime({
  ...api,
  ephemeral: ephemeralTopics,
  documents: documentTopics,
  publicUrl: 'http://127.0.0.1:3001',
  socketUrl: 'ws://127.0.0.1:48522',
})
const texts = { 'openapi.json': publishedText(describeApi(api)), 'asyncapi.json': publishedRealtime(realtime) }
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(texts)) {
  writeFileSync(path.join(folder, name), text)
  console.log(`${path.join(folder, name)}: ${Buffer.byteLength(text)} bytes`)
}
