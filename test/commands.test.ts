import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AssistantWorld, beginFlow, makeAssistantPlay, startAssistantWorld } from './assistant.ts'
import type { FlowPlay } from './flow-play.ts'
import { makeTournament } from './make.ts'
import { shellBlocks } from './markdown.ts'
import { makeStage } from './stage.ts'

/** The tests run the commands that documents show to readers, unchanged; these are the ones that no other test runs. */

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Block {
  /** How the block begins. */
  readonly beginning: string
  readonly test: string
  /** Code in that test by which it finds the block. */
  readonly found: string
}

/** For each document, its command blocks and the test that runs each. */
const ranBy: Readonly<Record<string, readonly Block[]>> = {
  'README.md': [
    { beginning: 'npm ci && npm start', test: 'test/kernel/process.test.ts', found: 'startService(env, true)' },
    { beginning: 'npm run demo', test: 'demo/demo.test.ts', found: 'await demo(' },
    { beginning: 'TOKEN=$(npm run', test: 'test/examples.test.ts', found: '/^TOKEN=.*$/m.exec(readme)' },
    { beginning: 'npm ci && npm test', test: '.ci/run', found: 'npm ci\nnpm test' },
  ],
  'docs/guide/applications.md': [
    {
      beginning: "curl -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{",
      test: 'test/examples.test.ts',
      found: "guideOf('applications.md')",
    },
  ],
  'docs/guide/real-time.md': [
    { beginning: "curl --no-buffer 'http", test: 'test/examples.test.ts', found: "guideOf('real-time.md')" },
  ],
  'docs/guide/flows.md': [
    {
      beginning: 'curl http://127.0.0.1:3001/api/tournaments/spring-cup/matches/12/flow',
      test: 'test/examples.test.ts',
      found: "guideOf('flows.md')",
    },
  ],
  'docs/guide/assistants.md': [
    { beginning: 'MATCH=http', test: 'test/commands.test.ts', found: "blockOf('assistants.md')" },
  ],
  'docs/guide/streams.md': [
    { beginning: 'curl -X POST -H "Authorization', test: 'test/examples.test.ts', found: "guideOf('streams.md')" },
  ],
  'docs/guide/overlays.md': [
    { beginning: 'OVERLAYS=http', test: 'test/commands.test.ts', found: "blockOf('overlays.md')" },
  ],
  'docs/guide/packages.md': [{ beginning: 'API=http', test: 'test/commands.test.ts', found: "blockOf('packages.md')" }],
  'docs/guide/rehearse.md': [
    { beginning: 'REHEARSALS=http', test: 'test/commands.test.ts', found: "blockOf('rehearse.md')" },
  ],
  'docs/guide/review.md': Array.from({ length: 4 }, () => ({
    beginning: 'PLATFORM=http',
    test: 'web/test/review.test.ts',
    found: "'../../docs/guide/review.md'",
  })),
  'docs/guide/administer.md': [
    'curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3001/api/admin/health',
    ...Array.from({ length: 4 }, () => 'USERS=http'),
    'curl -H "Authorization: Bearer $TOKEN" -H \'Content-Type',
    'curl -X DELETE -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3001/api/admin/tournament-platforms',
    ...Array.from({ length: 2 }, () => 'NOTICES=http'),
  ].map((beginning) => ({ beginning, test: 'test/administer.test.ts', found: "'docs/guide/administer.md'" })),
  'docs/guide/administer-content.md': [
    ...['AWARDS=http', 'EDITION=http', 'EDITION=http', 'EDITION=http', 'EDITION=http'],
    ...['CATEGORY_AT=http', 'CATEGORY_AT=http', 'EDITION=http', 'EDITION=http', 'EDITION=http', 'AWARDS=http'],
    ...['curl -H "Authorization: Bearer $TOKEN" -F kind', 'curl -H', 'BADGE_AT=http', 'BADGE_AT=http'],
    ...['REQUESTS=http', 'REQUESTS=http'],
    ...['API=http', 'SERVERS=http', 'SERVER_AT=http', 'SESSIONS=http', 'curl -X DELETE'],
  ].map((beginning) => ({
    beginning,
    test: 'test/administer-content.test.ts',
    found: "'docs/guide/administer-content.md'",
  })),
  'docs/guide/operate.md': [
    ...[
      'apt-get install',
      '#!/bin/sh',
      'chmod 600',
      'nginx -t',
      '(umask 077',
      '#!/bin/sh',
      'chmod 755',
      'systemctl stop',
    ],
    ...['systemctl start', 'curl -fsS', 'df -h', 'systemctl start', 'downbeat rotate-keys'],
    ...['downbeat package rotate-key', ...['seal', 'push'].map((key) => `systemctl stop downbeat\ndownbeat ${key}`)],
    'rm /var/backups',
  ].map((beginning) => ({ beginning, test: 'test/backup/operate.test.ts', found: "'docs/guide/operate.md'" })),
  'docs/media-bucket.md': [
    { beginning: 'aws s3api put-bucket-cors', test: 'test/commands.test.ts', found: "read('docs/media-bucket.md')" },
  ],
  'docs/streaming/README.md': [
    {
      beginning: 'STREAM_SERVERS=mediamtx=',
      test: 'test/streaming/brought.test.ts',
      found: 'readBrought(process.env.STREAM_SERVERS)',
    },
  ],
  'docs/streaming/nginx-rtmp.md': ['apt-get install', 'chmod 600', 'ffmpeg -loglevel'].map((beginning) => ({
    beginning,
    test: 'test/streaming/nginx-as-written.test.ts',
    found: "[install = '', start = '', attempt = '', ...others] = shellBlocks(text)",
  })),
  'src/guide.md': [
    'SERVICE=http',
    'curl "$SERVICE/api/tournaments" -H',
    'curl -X POST "$SERVICE/api/tournaments/spring-cup/visibility/request"',
    'curl -X POST "$SERVICE/api/tournaments/spring-cup/visibility/approve"',
    'curl "$SERVICE/api/tournaments?q=spring"',
    'curl "$SERVICE/api/tournaments/spring-cup/teams"',
    'curl --no-buffer "$SERVICE/api/events',
  ].map((beginning) => ({ beginning, test: 'test/documentation.test.ts', found: 'description.matchAll(/^```sh' })),
}

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** One line for each response. */
const curl = 'curl() { command curl --silent "$@"; echo; }'

/** Runs lines like a reader, but with this service and tournament. @returns the responses, one line each */
async function shell(lines: string, tournament: string, env: Readonly<Record<string, string>>): Promise<string> {
  const script = lines
    .replaceAll('http://127.0.0.1:3001', world.api.url)
    .replaceAll('/tournaments/spring-cup', `/tournaments/${tournament}`)
    .replaceAll('/matches/12', '/matches/1')
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${curl}\n${script}`], {
    env: { ...process.env, ...env },
  })
  return stdout
}

/** @throws Error for a response that is not JSON, such as a problem */
function answers(stdout: string) {
  const lines = stdout.split('\n').filter((line) => line !== '')
  const refused = lines.find((line) => !/^[[{]/.test(line))
  if (refused !== undefined) throw new Error(refused)
  return lines.map((line) => JSON.parse(line))
}

test('each block of commands in a document is run by a test', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'client/README.md', 'src/guide.md', 'src/engine/README.md']
  const folder = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const all = [...documents, ...folder.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)]
  const found = all.map((file) => [file, shellBlocks(read(file))] as const).filter(([, blocks]) => blocks.length > 0)
  expect(Object.fromEntries(found.map(([file, blocks]) => [file, blocks.length]))).toEqual(
    Object.fromEntries(Object.entries(ranBy).map(([file, known]) => [file, known.length])),
  )
  for (const [file, blocks] of found) {
    for (const [index, { beginning, test: by, found: how }] of (ranBy[file] ?? []).entries()) {
      expect(blocks[index]?.startsWith(beginning), `${file}: ${blocks[index]}`).toBe(true)
      expect(read(by), by).toContain(how)
    }
  }
  expect(found.length).toBeGreaterThan(4)
})

const blockOf = (file: string) => shellBlocks(read(`docs/guide/${file}`))[0] ?? ''

test('the guide’s lines on assistants play a song', async () => {
  const made = await makeAssistantPlay(world, { bestOf: 3, bracket: { tournament: { id: 'assisted-cup' } } })
  const flow = await beginFlow(world.api, made)
  await pickMaps(flow)
  const lines = blockOf('assistants.md')
  const cut = lines.indexOf('curl -H "Authorization: Bearer $TOKEN" $MATCH/proposals')
  for (const { game } of made.players.flat()) {
    game.script.songs.push({ seconds: 1, scores: [], score: 900_000, maxScore: 1_000_000 })
  }
  const match = /^MATCH=.*\n/.exec(lines)?.[0] ?? ''
  const env = { TOKEN: made.referee.token }
  const [loaded, playing] = answers(await shell(lines.slice(0, cut), 'assisted-cup', env)).slice(-2)
  expect(loaded).toMatchObject({ phase: 'loaded' })
  expect(playing).toMatchObject({ phase: 'playing' })
  await expect
    .poll(async () => answers(await shell(match + lines.slice(cut), 'assisted-cup', env))[0]?.proposals?.length)
    .toBe(1)
})

async function pickMaps(flow: FlowPlay): Promise<void> {
  while (flow.state.phase === 'choosing') {
    const { action, seats, options } = flow.state.turn
    await flow.act(seats[0], { action, ...(action === 'choose' ? { place: 1 } : { map: options[0] }) })
  }
}

test('the guide’s lines on overlays make one, publish it and point it at a match', async () => {
  const made = await makeAssistantPlay(world, { bestOf: 3, bracket: { tournament: { id: 'shown-cup' } } })
  const match = (await world.api.get(made.first, made.organiser)).body.guid
  const lines = blockOf('overlays.md').split('\n')
  const given = { TOKEN: made.organiser.token, MATCH: match }
  const cut = lines.findIndex((line) => line.includes('$OVERLAY/publish'))
  const head = lines.filter((line) => /^[A-Z]+=/.test(line))
  const [overlay] = answers(await shell(lines.slice(0, cut).join('\n'), 'shown-cup', given))
  const rest = [...head, ...lines.slice(cut)].join('\n')
  const [published, token, pointed] = answers(await shell(rest, 'shown-cup', { ...given, OVERLAY: overlay.guid }))
  expect(published).toMatchObject({ kind: 'published', number: 1, current: true })
  expect(token).toMatchObject({ label: 'The studio' })
  expect(pointed).toMatchObject({ matchGuid: match })
})

/** The command as an installation has it, with the keys of the service of this test. */
const downbeat = `downbeat() { command node "${path.join(root, 'bin/downbeat.js')}" "$@"; }`

test('the guide’s lines on packages take a tournament, check it, try it and import it', async () => {
  const { api } = world
  const organiser = await api.user()
  await makeTournament(api, organiser, { id: 'carried-cup' })
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-carried-'))
  try {
    const lines = `cd ${folder}\n${downbeat}\n${blockOf('packages.md')}`
    const env = { TOKEN: organiser.token, DATA_DIR: api.app.services.config.dataDir }
    const told = (await shell(lines, 'carried-cup', env)).split('\n').filter((line) => line !== '')
    const [verdict = '', tried = '', imported = ''] = told
    expect(verdict).toMatch(/^whole: .*signed by this service/)
    expect(JSON.parse(tried)).toMatchObject({ tournament: null, mode: 'copy', signer: { state: 'known' } })
    expect(JSON.parse(imported)).toMatchObject({ tournament: { id: 'spring-cup-2', status: 'draft' } })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the guide’s lines on rehearsals make one, play it and compare it with its tournament', async () => {
  const organiser = await world.api.user()
  const stage = await makeStage(world.api, organiser, { id: 'rehearsed-cup', teams: 4, status: 'approved' })
  await stage.bracket()
  const lines = blockOf('rehearse.md')
  const [started, played, compared] = answers(await shell(lines, 'rehearsed-cup', { TOKEN: organiser.token }))
  expect(started).toMatchObject({ status: 'ongoing' })
  expect(played).toMatchObject({ done: true })
  expect(played.played.map(({ number }: { number: number }) => number).toSorted()).toEqual([1, 2, 3])
  expect(compared).toMatchObject({ differences: [] })
})

/** The part of the storage's command line that the page uses, implemented with the library. */
const aws = `aws() { node --input-type=module -e '
import { readFileSync } from "node:fs"
import { S3Client, PutBucketCorsCommand } from "@aws-sdk/client-s3"
const args = process.argv.slice(1)
if (args.slice(0, 2).join(" ") !== "s3api put-bucket-cors") throw new Error(args.join(" "))
const option = (name) => args[args.indexOf("--" + name) + 1]
const CORSConfiguration = JSON.parse(readFileSync(option("cors-configuration").replace("file://", ""), "utf8"))
const credentials = { accessKeyId: "key", secretAccessKey: "secret" }
const client = new S3Client({ endpoint: option("endpoint-url"), region: "us-east-1", forcePathStyle: true, credentials })
await client.send(new PutBucketCorsCommand({ Bucket: option("bucket"), CORSConfiguration }))
' -- "$@"; }`

test('the page on buckets sets the rule that it shows', async () => {
  const text = read('docs/media-bucket.md')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-bucket-'))
  const got: string[] = []
  const storage = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    got.push(`${incoming.method} ${incoming.url} ${body}`)
    outgoing.end()
  })
  await new Promise<void>((listening) => storage.listen(0, '127.0.0.1', listening))
  try {
    await writeFile(path.join(folder, 'cors.json'), /```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '')
    const env = {
      ...process.env,
      MEDIA_S3_ENDPOINT: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
      MEDIA_S3_BUCKET: 'media',
    }
    const command = shellBlocks(text)[0]?.replace('file://cors.json', `file://${folder}/cors.json`)
    await promisify(execFile)('bash', ['-euc', `${aws}\n${command}`], { cwd: root, env })
  } finally {
    storage.close()
    await rm(folder, { recursive: true, force: true })
  }
  expect(got).toHaveLength(1)
  expect(got[0]).toMatch(/^PUT \/media\/?\?cors=? /)
  for (const rule of ['<AllowedOrigin>*</', '<AllowedMethod>GET</', '<AllowedHeader>Range</', '<ExposeHeader>ETag</']) {
    expect(got[0]).toContain(rule)
  }
})
