import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verify } from '../../src/cli/package.ts'
import { packageVersion } from '../../src/core/packages/manifest.ts'
import { packageVariants } from '../../src/features/packages/packages/types.ts'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { formOf } from '../media.ts'
import { takePackage } from '../package-imports.ts'
import { rowsIn, textsOf } from '../packages.ts'
import { portableOf } from '../round-trips.ts'
import { digestAsOf, type Expected, goldenFile, goldenVersions, kindsOf, readExpected, writeGolden } from './golden.ts'

test.runIf(process.env.GENERATE === '1')(
  'packages of this version are written',
  async () => {
    await using api = await startHarness()
    await writeGolden(api, packageVersion)
  },
  300_000,
)

/** The exit code and the line of `package verify`. */
async function verified(file: string, keys: string | undefined) {
  const lines: string[] = []
  const said = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line))
  try {
    const nowhere = path.join(os.tmpdir(), 'downbeat-nowhere')
    await verify({ dataDir: nowhere, packageSigners: null }, file, keys)
    return { code: process.exitCode ?? 0, lines }
  } finally {
    said.mockRestore()
    process.exitCode = 0
  }
}

type Row = Readonly<Record<string, unknown>>

/** Without sessions that are sealed: they begin anew. */
const openIn = (texts: ReadonlyMap<string, string>, kind: string): Row[] =>
  rowsIn(texts, kind).filter(({ sealed }) => sealed !== true)

describe.each(goldenVersions())('a package of version %s', (version) => {
  let folder: string
  let api: Harness
  let owner: Caller
  let expected: Expected
  const bytesOf = (variant: string) => readFile(goldenFile(version, `${variant}.zip`))
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-golden-'))
    const packageSigners = path.join(folder, 'signers.json')
    const keys = JSON.parse(await readFile(goldenFile(version, 'keys.json'), 'utf8'))
    await writeFile(packageSigners, JSON.stringify({ 'golden.example': keys }))
    api = await startHarness({ packageSigners })
    owner = await api.user({ globalRoles: ['role:owner'] })
    expected = await readExpected(version)
  })
  afterAll(async () => {
    await api[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  const bring = async (variant: string, parts: Record<string, string>) =>
    api.call('POST', '/tournaments/import', { as: owner, ...formOf(await bytesOf(variant), parts) })

  test.each(packageVariants)('%s is whole, and by the key that was published then (P2)', async (variant) => {
    const file = goldenFile(version, `${variant}.zip`)
    const [known, unknown] = [await verified(file, goldenFile(version, 'keys.json')), await verified(file, undefined)]
    expect([known.code, unknown.code]).toEqual([0, 3])
    expect(known.lines).toEqual([
      expect.stringMatching(/^whole: “.+” \((full|public|anonymised)\), signed by keys.json/),
    ])
    const texts = await textsOf(await bytesOf(variant))
    const { counts, data } = expected.variants[variant]
    expect(JSON.parse(texts.get('manifest.json') ?? '').counts).toEqual(counts)
    for (const [at, sha256] of Object.entries(data)) {
      const rows = rowsIn(texts, path.basename(at, '.ndjson'))
      expect([at, digestAsOf(rows, rows)]).toEqual([at, sha256])
    }
  })

  // Before any copy: that makes entries of the catalogue, which only say that a map is not known.
  test('is restored, and what is taken of it has the same rows, but for members that it could not have (P7)', async () => {
    const reply = await bring('full', { mode: 'restore' })
    expect(outcome(reply)).toEqual([201, null])
    expect(reply.body).toMatchObject({ changed: [], skipped: [], notTaken: [] })
    const original = await bytesOf('full')
    const again = await takePackage(api, expected.tournament.guid, owner)
    const [then, now] = [await textsOf(original), await textsOf(again)]
    const { data, media } = expected.variants.full
    for (const at of Object.keys(data)) {
      const [are, were] = [now, then].map((texts) => openIn(texts, path.basename(at, '.ndjson'))) as [Row[], Row[]]
      expect([at, digestAsOf(are, were)]).toEqual([at, digestAsOf(were, were)])
    }
    const portable = await portableOf(again)
    expect([...portable.keys()].filter((at) => at.startsWith('media/'))).toEqual(media)
  })

  test.each(packageVariants)('%s becomes a draft of the caller (P6)', async (variant) => {
    const reply = await bring(variant, { mode: 'copy', id: `copy-${variant}` })
    expect(outcome(reply)).toEqual([201, null])
    const { counts } = expected.variants[variant]
    const { notTaken, signer, skipped } = reply.body
    // A row that lacks what nothing tells is left out, and the answer says so.
    const leftOut = new Map<string, number>(
      skipped.filter(({ member }: Row) => member === null).map(({ path, rows }: Row) => [path, rows]),
    )
    const taken = Object.entries(counts)
      .filter(([kind]) => !notTaken.includes(kind))
      .map(([kind, count]): [string, number] => [kind, count - (leftOut.get(`data/${kind}.ndjson`) ?? 0)])
      .filter(([, count]) => count > 0)
    expect(reply.body.counts).toEqual(Object.fromEntries(taken))
    expect(signer).toMatchObject({ state: 'known', name: 'golden.example' })
    const { guid } = reply.body.tournament
    const { teams } = (await api.get(`/tournaments/${guid}/teams`, owner)).body
    expect(teams.length).toBe(counts.teams)
    if (variant === 'full') return
    // What a correction altered is not all told, so that nothing can be restored.
    const { corrections } = (await api.get(`/tournaments/${guid}/corrections`, owner)).body
    expect(corrections.length).toBeGreaterThan(0)
    for (const correction of corrections) {
      const undo = await api.post(`/tournaments/${guid}/corrections/${correction.guid}/undo`, owner, {})
      expect(outcome(undo)).toEqual([409, 'correction.overtaken'])
    }
  })
})

test('the packages of this version have rows of every kind', async () => {
  const { variants } = await readExpected(packageVersion)
  for (const variant of packageVariants) {
    const { counts } = variants[variant]
    expect([variant, kindsOf(variant).filter((kind) => counts[kind] === undefined)]).toEqual([variant, []])
  }
})
