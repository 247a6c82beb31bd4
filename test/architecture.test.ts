import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../src/features.ts'

/** The rules of docs/architecture.md, checked against every import of the sources. */

const root = path.join(import.meta.dirname, '../src')

interface Source {
  /** Relative to `src`, with forward slashes. */
  readonly file: string
  readonly text: string
  /** Imported files relative to `src`, and packages by name. */
  readonly imports: readonly string[]
}

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => read(file.replaceAll(path.sep, '/')))

function read(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8')
  const specifiers = [...text.matchAll(/(?:^import|^export|\bfrom|\bimport\()\s*'([^']+)'/gm)].map(
    (match) => match[1] as string,
  )
  const imports = specifiers.map((specifier) =>
    specifier.startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)) : specifier,
  )
  return { file, text, imports }
}

/** The imports that `allowed` forbids, as lines for a test failure. */
function violations(from: (file: string) => boolean, allowed: (imported: string, file: string) => boolean): string[] {
  return sources
    .filter(({ file }) => from(file))
    .flatMap(({ file, imports }) =>
      imports.filter((imported) => !allowed(imported, file)).map((imported) => `${file} imports ${imported}`),
    )
}

const isOurs = (imported: string) => imported.endsWith('.ts')
const within =
  (...folders: readonly string[]) =>
  (imported: string) =>
    !isOurs(imported) || folders.some((folder) => imported.startsWith(folder))
/** `features/area/slice/…` */
const sliceOf = (file: string) => /^features\/[^/]+\/([^/]+)\//.exec(file)?.[1]

test('the sources were read', () => {
  expect(sources.length).toBeGreaterThan(60)
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
})

test('core imports nothing of ours', () => {
  expect(violations((file) => file.startsWith('core/'), within('core/'))).toEqual([])
})

test('infra knows core alone', () => {
  expect(violations((file) => file.startsWith('infra/'), within('core/', 'infra/'))).toEqual([])
})

test('the engine knows core alone', () => {
  expect(violations((file) => file.startsWith('engine/'), within('core/', 'engine/'))).toEqual([])
})

test('the authorization server knows core, infra and the tables that it reads', () => {
  const allowed = within('core/', 'infra/', 'oauth/', 'services.ts')
  expect(
    violations(
      (file) => file.startsWith('oauth/'),
      (imported) => allowed(imported) || imported.endsWith('/tables.ts'),
    ),
  ).toEqual([])
})

/**
 * Imports of tables by slices below the slice that owns them, each with its reason. The tables are read in joins, or
 * referenced by foreign keys; no slice writes the rows of another slice, but for what a person takes along who takes over a
 * placeholder.
 */
const upward: Readonly<Record<string, string>> = {
  'features/assistant/assistantLinks/store.ts -> features/assistant/assistantSessions/tables.ts':
    'a link is not removed while sessions are open by it',
  'features/assistant/proposals/store/game-plays.ts -> features/assistant/assistantSessions/tables.ts':
    'a song that a closed session has left is told of by nobody',
  'features/assistant/proposals/store/settings.ts -> features/assistant/assistantSessions/tables.ts':
    'a session says whether what is proposed in it accepts itself',
  'features/brackets/brackets/store/losses.ts -> features/brackets/results/tables.ts':
    'who deletes a bracket is told how many corrections go with it',
  'features/brackets/brackets/store/losses.ts -> features/streaming/channels/tables.ts':
    'who deletes a bracket is told how many places in queues go with it',
  'features/brackets/matches/store/all.ts -> features/brackets/brackets/tables.ts':
    'matches of all tournaments are listed with the names of their divisions and brackets',
  'features/brackets/matches/store/list.ts -> features/brackets/brackets/tables.ts':
    'matches are named by their number in a division, and listed by division and bracket',
  'features/brackets/matches/store/pools.ts -> features/maps/plans/tables.ts':
    'tells which pools are planned, for all matches of an answer in one query',
  'features/brackets/matches/store/pools.ts -> features/flows/flowSessions/tables.ts':
    'tells which pools matches were begun with, in the same query',
  'features/brackets/matches/tables.ts -> features/brackets/brackets/tables.ts':
    'a match stands in a bracket of a division, and goes with it: foreign keys',
  'features/flows/flowSessions/store/planned.ts -> features/flows/flows/tables.ts':
    'finds the flow that a match is planned to be played by',
  'features/flows/flowSessions/store/clocks.ts -> features/planning/rehearsals/tables.ts':
    'seeds of sessions in a rehearsal come from its seed',
  'features/flows/flowSessions/store/clocks.ts -> features/brackets/brackets/tables.ts':
    'and from the division, and the number of the match in it',
  'features/flows/flowSessions/tables.ts -> features/flows/flows/tables.ts':
    'a session names the flow that it was begun with: a foreign key',
  'features/awards/badges/store/lists.ts -> features/awards/awards/tables.ts':
    'names the awards that a badge was given in, and those that are still to give it',
  'features/listing/platforms/store.ts -> features/tournaments/tournaments/tables.ts':
    'counts the tournaments that a list of platforms shows, in one query',
  'features/listing/platforms/store.ts -> features/listing/visibility/tables.ts':
    'counts the requests that wait on each platform of a reviewer, in one query',
  'features/maps/catalogue/store.ts -> features/maps/pools/tables.ts':
    'what imports told of maps stands with the maps of the pools that they went into; finds the tournaments that show a map about which the catalogue says something new',
  'features/maps/catalogue/store.ts -> features/maps/suggestions/tables.ts':
    'finds the tournaments that show a map about which the catalogue says something new',
  'features/maps/pools/store/pools.ts -> features/flows/flowSessions/tables.ts':
    'a pool that a match was begun with is not made a draft again',
  'features/maps/pools/store/qualifier.ts -> features/brackets/qualifiers/tables.ts':
    'compares the pool of the qualifier with the maps that are played in it',
  'features/maps/pools/store/tallies.ts -> features/maps/suggestions/tables.ts':
    'counts the votes on the maps of a pool, for its table',
  'features/maps/pools/store/known-maps.ts -> features/maps/suggestions/tables.ts':
    'poolers know the maps that were suggested to them',
  'features/tournaments/tournaments/store/rehearsals.ts -> features/planning/rehearsals/tables.ts':
    'the record of a rehearsal says how it is called',
  'features/tournaments/tournaments/store/importing.ts -> features/packages/packages/tables.ts':
    'the record of a draft says that it was imported from a package whose signer is not known',
  'features/streaming/streamKeys/store.ts -> features/streaming/streamSessions/tables.ts':
    'tells how much of the allowance of tests a user has taken',
  'features/streaming/streamServers/store.ts -> features/streaming/streamSessions/tables.ts':
    'a server is not deleted while somebody is live on it',
  'features/overlays/sceneDocuments/tables.ts -> features/overlays/overlays/tables.ts':
    'a document is of an overlay, and goes with it: foreign keys',
  'features/media/media/store/overlay-editors.ts -> features/overlays/overlays/tables.ts':
    'tells who is named as an editor of an overlay, and may upload what overlays show',
  'features/media/mirror/store.ts -> features/awards/awards/tables.ts':
    'a picture elsewhere is shown while an edition of awards or a nominee holds its address',
  'features/media/mirror/store.ts -> features/brackets/qualifiers/tables.ts':
    'a picture elsewhere is shown while a map of a qualifier holds its address',
  'features/media/mirror/store.ts -> features/maps/catalogue/tables.ts':
    'a picture elsewhere is shown while a map holds its address',
  'features/media/mirror/store.ts -> features/maps/pools/tables.ts': 'of maps, those count that a pool shows',
  'features/media/mirror/store.ts -> features/overlays/overlays/tables.ts':
    'a picture elsewhere is not fetched for an overlay of a rehearsal',
  'features/media/mirror/store.ts -> features/overlays/control/tables.ts':
    'a picture elsewhere is shown while a caster of an overlay holds its address',
  'features/overlays/overlays/store/overlays.ts -> features/overlays/control/tables.ts':
    'tells which matches overlays point at, for all overlays of an answer in one query',
  'features/people/claims/store/places.ts -> features/assistant/proposals/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/awards/awards/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/awards/badgeRequests/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/awards/badges/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/brackets/matches/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/brackets/qualifiers/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/brackets/results/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/flows/flowSessions/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/streaming/streamAssignments/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/teams/registration/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/teams/teamImports/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/claims/store/places.ts -> features/teams/teams/tables.ts':
    'who takes over a placeholder takes its places along, in one transaction',
  'features/people/notifications/store.ts -> features/listing/platforms/tables.ts':
    'names the platform that a notification is about',
  'features/people/notifications/store.ts -> features/maps/catalogue/tables.ts':
    'names the map that a notification is about',
  'features/people/notifications/store.ts -> features/maps/pools/tables.ts':
    'names the pools that a map stands in, and finds whose business they are',
  'features/people/notifications/store.ts -> features/teams/teams/tables.ts':
    'names the team that a notification is about, and finds the captains who get one',
  'features/people/notifications/store.ts -> features/tournaments/tournaments/tables.ts':
    'names the tournament that a notification is about, and finds its organiser',
  'features/people/rankings/store.ts -> features/people/users/tables.ts':
    'what is kept of a ranking account is a user’s by their link to it; finds whose cards show a ranking account that has changed',
  'features/people/users/store/placeholders.ts -> features/teams/teams/tables.ts':
    'a placeholder that another tournament has in a team stays when its own is deleted',
  'features/people/users/store/roles.ts -> features/tournaments/access/tables.ts':
    'lists what users are in tournaments, for all profiles of an answer in one query',
  'features/people/users/store/roles.ts -> features/tournaments/tournaments/tables.ts':
    'lists what users are in tournaments, for all profiles of an answer in one query',
  'features/people/users/store/users.ts -> features/teams/registration/tables.ts':
    'counts what a card shows (tournaments played), for all cards of an answer in one query',
  'features/people/users/store/users.ts -> features/tournaments/tournaments/tables.ts':
    'tells what a card shows (organiser, tournaments played), for all cards of an answer in one query',
  'features/tournaments/access/store.ts -> features/teams/teams/tables.ts':
    'tells which poolers play in the tournament',
  'features/tournaments/access/store.ts -> features/tournaments/tournaments/tables.ts':
    'tells whether the organiser plays in the tournament; locks the tournament while the number of roles in it is judged',
  'features/tournaments/access/tables.ts -> features/tournaments/tournaments/tables.ts':
    'a role is held in a tournament, and goes with it: a foreign key',
  'features/tournaments/tournaments/store/list.ts -> features/teams/registration/tables.ts':
    'lists the tournaments in which somebody has played',
  'features/tournaments/tournaments/store/list.ts -> features/teams/teams/tables.ts':
    'lists the tournaments in which somebody is in a team',
  'features/tournaments/tournaments/store/media.ts -> features/teams/teams/tables.ts':
    'a draft that is deleted takes its teams with it, which use pictures',
  'features/tournaments/tournaments/store/media.ts -> features/overlays/overlays/tables.ts':
    'a draft that is deleted takes its overlays with it, which use media',
  'features/tournaments/tournaments/store/media.ts -> features/maps/pools/tables.ts':
    'a draft that is deleted takes its pools with it, which show pictures',
  'features/tournaments/tournaments/store/media.ts -> features/planning/availability/tables.ts':
    'a draft that is deleted takes its availability sheets with it, which show pictures',
  'features/tournaments/tournaments/store/media.ts -> features/tournaments/updates/tables.ts':
    'a draft that is deleted takes its updates with it, which use pictures',
  'features/tournaments/tournaments/store/placements.ts -> features/teams/teams/tables.ts':
    'names the teams that were placed, for all records of an answer in one query',
  'features/tournaments/tournaments/store/tournaments.ts -> features/listing/visibility/tables.ts':
    'reviewers see the drafts that asked their platform, and lists follow what was approved',
}

test('a slice imports the slices that it declares; stores and tables read any table of a slice below, and above as named', () => {
  const uses = new Map(features.map(({ slice, uses }) => [slice.name, new Set(uses.map(({ name }) => name))]))
  const place = (name: string | undefined) => features.findIndex(({ slice }) => slice.name === name)
  const common = within('core/', 'infra/', 'engine/', 'services.ts', 'config.ts', 'features/slice.ts')
  const named: string[] = []
  const allowed = (imported: string, file: string) => {
    if (common(imported)) return true
    const [own, other] = [sliceOf(file), sliceOf(imported)]
    if (other === own || (other !== undefined && uses.get(own ?? '')?.has(other))) return true
    if (!/\/tables\.ts$|\/store(\/|\.ts$)/.test(file) || !imported.endsWith('/tables.ts')) return false
    if (place(other) < place(own)) return true
    named.push(`${file} -> ${imported}`)
    return true
  }
  expect(violations((file) => sliceOf(file) !== undefined, allowed)).toEqual([])
  expect(named.toSorted()).toEqual(Object.keys(upward).toSorted())
})

test('every slice is declared, in the folder of its name, after all that it uses', () => {
  const folders = new Set(sources.map(({ file }) => sliceOf(file)).filter((name) => name !== undefined))
  expect(new Set(features.map(({ slice }) => slice.name))).toEqual(folders)
  features.forEach(({ slice, uses }, index) => {
    const before = features.slice(0, index).map((feature) => feature.slice)
    expect(before, `what ${slice.name} uses`).toEqual(expect.arrayContaining([...uses]))
  })
})

/** The kinds of files of a slice: each is a file, or a folder with that name when one file would be too long. */
const kinds = [
  ...['slice', 'types', 'tables', 'constraints', 'rules', 'policy', 'store', 'queries', 'commands', 'prepare', 'views'],
  ...['bodies', 'routes', 'resolve', 'events', 'followers', 'jobs', 'queues', 'cache'],
]

test('a slice consists of the kinds of files that docs/architecture.md lists, each a file or a folder, never both', () => {
  const parts = sources.flatMap(({ file }) => {
    const [, area, slice, part = ''] = /^features\/([^/]+)\/([^/]+)\/(.+)$/.exec(file) ?? []
    return area === undefined ? [] : [{ place: `${area}/${slice}`, part, file }]
  })
  const isKind = (part: string) => kinds.includes(part.replace(/(\.ts|\/[^/]+\.ts)$/, ''))
  expect(parts.filter(({ part }) => !isKind(part)).map(({ file }) => file)).toEqual([])
  const files = new Set(parts.map(({ file }) => file))
  expect(
    parts.filter(({ file }) => files.has(`${file.slice(0, file.lastIndexOf('/'))}.ts`)).map(({ file }) => file),
  ).toEqual([])
  expect(parts.filter(({ part }) => /^([a-z-]+)\/\1\.ts$/.test(part)).map(({ file }) => file)).toEqual([])
})

test('SQL stands in stores and infra', () => {
  const place = /(^|\/)(store|tables)\.ts$|\/store\/|^infra\/(db|events|jobs)\//
  const outside = violations(
    (file) => !place.test(file),
    (imported) => !imported.startsWith('drizzle-orm') && imported !== 'pg',
  )
  // The runtime imports only the type of the driver's connection settings.
  expect(outside).toEqual(['runtime.ts imports pg'])
})

test('the HTTP framework stands in infra/http', () => {
  const place = (file: string) => !file.startsWith('infra/http/') && file !== 'app.ts'
  expect(violations(place, (imported) => !/^@?fastify\b/.test(imported))).toEqual([])
})

test('the network stands in infra/clients', () => {
  const place = (file: string) => !file.startsWith('infra/clients/')
  expect(violations(place, (imported) => imported !== 'undici' && imported !== 'nodemailer')).toEqual([])
})

/** Large packages that a service does not need at its start. (ADR-31) */
const loadedLate = [
  ...['undici', 'typebox/schema', 'typebox/value', 'typebox/compile', 'markdown-it', 'sanitize-html', 'unhomoglyph'],
  ...['fast-xml-parser', 'ioredis', 'web-push'],
]

test('what only some work needs is loaded by that work', () => {
  const atOnce = /^import (?!type\b)(?:(?!\bfrom\b)[\s\S])*from '([^']+)'/gm
  const early = sources.flatMap(({ file, text }) =>
    [...text.matchAll(atOnce)].flatMap(([, name = '']) =>
      loadedLate.includes(name) ? [`${file} imports ${name}`] : [],
    ),
  )
  expect(early).toEqual([])
})

const edges = /^(main|config|app|runtime|clients)\.ts$|^cli\/|^infra\//

test('the environment is read in one place', () => {
  const readers = sources.filter(({ text }) => text.includes('process.env')).map(({ file }) => file)
  expect(readers).toEqual(['config.ts'])
})

test('clock and randomness are read at the edge alone', () => {
  const pattern = /\bnew Date\(\)|\bDate\.now\(|\bMath\.random\(/
  const readers = sources.filter(({ file, text }) => !edges.test(file) && pattern.test(text)).map(({ file }) => file)
  expect(readers).toEqual([])
})
