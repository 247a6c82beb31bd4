import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { packed } from '../../../../test/packages.ts'
import { openPackageKeys } from '../../../infra/packages/keys.ts'

let service: Harness
const made = new Date('2026-05-01')
let folder: string

beforeAll(async () => {
  service = await startHarness()
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-verify-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
  await service[Symbol.asyncDispose]()
})

const command = path.join(import.meta.dirname, '../../../../bin/downbeat.js')

/** Without a configuration: what is wrong in it is no matter. */
function verify(args: readonly string[], more: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? '', PORT: 'none', DATA_DIR: path.join(folder, 'nowhere'), ...more }
  return new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
    execFile(process.execPath, [command, 'package', 'verify', ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })
}

test('public keys are published for ever, and private parts are not (P2)', async () => {
  const first = await service.get('//.well-known/package-keys.json')
  expect(first.status).toBe(200)
  const [key] = first.body.keys
  expect(Object.keys(key).toSorted()).toEqual(['crv', 'kid', 'kty', 'revokedAt', 'status', 'use', 'x'])
  expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig', status: 'current', revokedAt: null })
  const { packages } = service.app.services.keys
  const second = await packages.rotate(new Date(), true)
  const after = (await service.get('//.well-known/package-keys.json')).body.keys
  expect(after).toMatchObject([
    { kid: second.kid, status: 'current' },
    { kid: key.kid, status: 'revoked' },
  ])
})

test('`package verify` says in one line whether a package is whole, and by a known key (P2)', async () => {
  const dataDir = path.join(folder, 'own')
  const own = openPackageKeys(path.join(dataDir, 'keys', 'packages'))
  const whole = await packed(await own.current(made))
  const at = (name: string) => path.join(folder, name)
  await writeFile(at('cup.zip'), whole)
  await writeFile(at('cut.zip'), whole.subarray(0, -1))
  await writeFile(at('keys.json'), JSON.stringify({ keys: await own.list(made) }))
  await writeFile(at('signers.json'), JSON.stringify({ 'cup.example': { keys: await own.list(made) } }))
  const said = await Promise.all([
    verify(['cup.zip'], { DATA_DIR: dataDir }),
    verify(['cup.zip', '--keys', 'keys.json']),
    verify(['cup.zip'], { PACKAGE_SIGNERS: at('signers.json') }),
    verify(['cup.zip']),
    verify(['cut.zip']),
    verify(['nothing.zip']),
  ])
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 3, 1, 1])
  for (const { text } of said) expect(text.trimEnd().split('\n')).toHaveLength(1)
  expect(said[0]?.text).toMatch(/^whole: “Cup” \(full\), signed by this service/)
  expect(said[2]?.text).toContain('signed by cup.example')
  expect(said[3]?.text).toContain('unknown key')
  expect(said[4]?.text).toContain('package.unreadable')
})

test('a package that was taken is verified without the service, and by its keys alone is it known (P1, P2)', async () => {
  const organiser = await service.user()
  const cup = await makeTournament(service, organiser, { name: 'Spring Cup' })
  const address = `${service.url}/api/tournaments/${cup.guid}/package?variant=full`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${organiser.token}` } })
  await writeFile(path.join(folder, 'taken.zip'), Buffer.from(await reply.arrayBuffer()))
  const { body } = await service.get('//.well-known/package-keys.json')
  await writeFile(path.join(folder, 'published.json'), JSON.stringify(body))
  const [own, published, unknown] = await Promise.all([
    verify(['taken.zip'], { DATA_DIR: service.app.config.dataDir }),
    verify(['taken.zip', '--keys', 'published.json']),
    verify(['taken.zip']),
  ])
  expect([own.code, published.code, unknown.code]).toEqual([0, 0, 3])
  expect(own.text).toMatch(/^whole: “Spring Cup” \(full\), signed by this service/)
})
