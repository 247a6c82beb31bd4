import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBracket, type BracketBody, type MadeBracket, makeBracket, resultOf } from '../../../../test/bracket-play.ts'
import { makeSession } from '../../../../test/flow-sessions.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { touch } from '../../../../test/make.ts'
import { formOf, type Parts } from '../../../../test/media.ts'
import { type Forgery, giveRealFiles, importInto, sourceOf, takePackage } from '../../../../test/package-imports.ts'
import { makePackageWorld } from '../../../../test/package-world.ts'
import { rowsIn, textsOf } from '../../../../test/packages.ts'
import type { World } from '../../../../test/world.ts'
import { kinds } from './store/kinds.ts'
import { variants } from './types.ts'

/** Copies of packages that lack members and kinds: of what everybody may read, and without names. (P6) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
})

type Row = Readonly<Record<string, unknown>>

const bring = (as: Caller, bytes: Uint8Array, parts: Parts) =>
  api.call('POST', '/tournaments/import', { as, ...formOf(bytes, { mode: 'copy', ...parts }) })

async function complete(guid: string): Promise<void> {
  await api.sql(`update tournaments set status = 'completed', approved_at = now() where guid = $1`, [guid])
  await touch(api, guid)
}

const guids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** Rows by kind, with the GUIDs that they have in the copy, in an order that does not depend on GUIDs. */
function rowsAs(texts: ReadonlyMap<string, string>, kind: string, names: Readonly<Record<string, string>>): string[] {
  const known = new Set(Object.values(names))
  return rowsIn(texts, kind)
    .map((row) => JSON.stringify(row).replace(guids, (guid) => names[guid] ?? (known.has(guid) ? guid : '*')))
    .toSorted()
}

const without =
  (...members: string[]) =>
  (line: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).filter(([name]) => !members.includes(name))))

describe('a tournament with rows of every kind', () => {
  let world: World
  let packages: Readonly<Record<string, Buffer>>
  beforeAll(async () => {
    world = await makePackageWorld(api)
    await giveRealFiles(api)
    const { guid } = world.tournament
    const own = `${api.app.config.media.url}/media/${world.named.media}/full.webp`
    await api.sql('update tournaments set image_url = $2 where guid = $1', [guid, own])
    await api.sql(`update overlays set access = 'public' where tournament_guid = $1`, [guid])
    await api.sql(
      `update overlay_drafts set published_version = (select min(v.number) from overlay_versions v
         where v.overlay_guid = overlay_drafts.overlay_guid)`,
    )
    await api.sql(
      `with past as (
         update flow_sessions set position = 2, shown_position = 2 where flow_name = 'Past' returning *)
       insert into flow_rows (session_guid, position, tournament_guid, kind, on_behalf, data, at)
       select guid, 2, tournament_guid, 'reveal', false, jsonb_build_object('seed', encode(seed, 'hex')), now() from past`,
    )
    // Other people do not see yet how it ended.
    const seats = [world.captain, world.member].map((user) => ({ team: null, captain: user.guid, name: 'Late' }))
    const late = { tournamentGuid: guid, by: world.organiser.guid, at: new Date(), viewDelaySeconds: 900 }
    await makeSession(api, { ...late, seats })
    await touch(api, guid)
    packages = Object.fromEntries(
      await Promise.all(
        variants.map(async (variant) => [variant, await takePackage(api, guid, world.organiser, `variant=${variant}`)]),
      ),
    )
  })

  test('is copied from what everybody may read, and has all of it again', async () => {
    const bytes = packages.public as Buffer
    const reply = await bring(world.organiser, bytes, { id: 'seen-cup' })
    expect(outcome(reply)).toEqual([201, null])
    const { tournament, skipped, notTaken, people, counts } = reply.body
    expect(tournament).toMatchObject({ id: 'seen-cup', status: 'draft', organiser: { guid: world.organiser.guid } })
    expect(notTaken.toSorted()).toEqual(['badgeGrants', 'badges', 'placements', 'roles'])
    expect(skipped.map(({ path }: { path: string }) => path)).toEqual(['data/sessionRows.ndjson'])
    expect(people.filter(({ state }: { state: string }) => state === 'account')).toEqual([
      { guid: world.organiser.guid, user: world.organiser.guid, state: 'account' },
    ])
    await complete(tournament.guid)
    const [before, after] = await Promise.all(
      [bytes, await takePackage(api, tournament.guid, world.organiser, 'variant=public')].map(textsOf),
    )
    const names = reply.body.guids as Readonly<Record<string, string>>
    const changed: Readonly<Record<string, readonly string[]>> = {
      tournament: ['id', 'status', 'visibilityScope', 'createdAt', 'updatedAt', 'listed'],
      people: ['placeholder', 'links', 'chatPlatformId'],
      sessions: ['drawnAs'],
    }
    // Without those who only have roles, the badge's picture, and a session that is not all shown yet.
    const partly = new Set(['people', 'media', 'sessions', 'sessionRows'])
    for (const { name } of kinds) {
      if (notTaken.includes(name)) continue
      const told = (texts: ReadonlyMap<string, string> | undefined) =>
        rowsAs(texts as ReadonlyMap<string, string>, name, names).map(without(...(changed[name] ?? [])))
      if (partly.has(name)) expect([name, told(before)]).toEqual([name, expect.arrayContaining(told(after))])
      else expect([name, told(after)]).toEqual([name, told(before)])
      expect([name, told(after).length > 0]).toEqual([name, told(before).length > 0])
    }
    expect(counts.overlayVersions).toBe(1)
    // What such a copy says in full is a package like any other.
    const full = await sourceOf(await takePackage(api, tournament.guid, world.organiser))
    const wish = { caller: world.organiser.guid, mode: 'copy', id: 'twice-cup' } as const
    expect(await importInto(api, full, wish)).toMatchObject({ skipped: [] })
    expect([...(after as ReadonlyMap<string, string>).keys()].filter((at) => at.startsWith('media/'))).toHaveLength(2)
    const overlay = `/tournaments/${tournament.guid}/overlays/${names[world.named.overlay ?? '']}`
    const [draft, shown] = [await api.get(`${overlay}/scene`, world.organiser), await api.get(`${overlay}/published`)]
    expect([draft.status, shown.status]).toEqual([200, 200])
    expect(draft.body).toEqual(shown.body.document)
  })

  test('is copied without names; what needs an address or a seed is left out', async () => {
    const reply = await bring(world.organiser, packages.anonymised as Buffer, { id: 'number-cup' })
    expect(outcome(reply)).toEqual([201, null])
    const { tournament, skipped, people, notTaken } = reply.body
    expect(notTaken.toSorted()).toEqual(['badgeGrants', 'badges', 'placements', 'roles'])
    expect(skipped.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      ...['data/channels.ndjson', 'data/queues.ndjson', 'data/sessionRows.ndjson', 'data/sessions.ndjson'],
    ])
    expect(new Set(people.map(({ state }: { state: string }) => state))).toEqual(new Set(['placeholder']))
    const { body } = await api.get(`/tournaments/${tournament.guid}/teams`, world.organiser)
    // A secret draws the numbers, so they are not in the order of the list. (P5)
    const named = body.teams.map(({ name, id }: Row) => [name, id]).toSorted()
    expect(named).toEqual([
      ['Team 01', 'team-01'],
      ['Team 02', 'team-02'],
    ])
    expect(body.teams[0].captain.username).toMatch(/^Player \d{3}$/)
    const waiting = await api.sql(
      'select guid from users where made_by_tournament_guid = $1 and awaited_chat_id is not null',
      [tournament.guid],
    )
    expect(waiting).toEqual([])
    await complete(tournament.guid)
    const texts = await textsOf(await takePackage(api, tournament.guid, world.organiser))
    const was = await textsOf(packages.anonymised as Buffer)
    for (const kind of ['teams', 'members', 'matches', 'games', 'attempts', 'poolMaps', 'votes', 'availability']) {
      expect([kind, rowsIn(texts, kind).length]).toEqual([kind, rowsIn(was, kind).length])
    }
  })

  test('is the pattern of another one as a setup, and is restored from neither', async () => {
    const owner = await api.user({ globalRoles: ['role:owner'] })
    for (const variant of ['public', 'anonymised']) {
      const bytes = packages[variant] as Buffer
      const setup = await bring(world.captain, bytes, { id: `setup-${variant}`, parts: 'setup' })
      expect([variant, outcome(setup)]).toEqual([variant, [201, null]])
      expect(setup.body.people).toEqual([])
      const texts = await textsOf(await takePackage(api, setup.body.tournament.guid, world.captain))
      expect([rowsIn(texts, 'teams'), rowsIn(texts, 'people').length]).toEqual([[], 1])
      expect(rowsIn(texts, 'flows').length).toBe(rowsIn(await textsOf(bytes), 'flows').length)
      const restored = await bring(owner, bytes, { mode: 'restore' })
      expect([variant, outcome(restored)]).toEqual([variant, [400, 'package.content']])
      expect(restored.text).toContain('import it as a copy')
    }
  })

  test('is filled up if an earlier version made its package, with what has a default alone', async () => {
    const source = await sourceOf(packages.full as Buffer)
    const lacking = (forgery: Forgery) => sourceOf(packages.full as Buffer, forgery)
    const drop =
      (...members: string[]) =>
      (rows: Row[]) =>
        rows.map((row) => JSON.parse(without(...members)(JSON.stringify(row))))
    let number = 0
    const result = async (forged: typeof source, version: string) => {
      const older = { ...forged, manifest: { ...forged.manifest, version } }
      const wish = { caller: world.organiser.guid, mode: 'copy', id: `older-${++number}` } as const
      return importInto(api, older, wish).then(
        ({ skipped }) => skipped.length,
        ({ code, data }) => [code, data.member],
      )
    }
    const defaulted = await lacking({ teams: drop('rosterLocked', 'seed', 'createdAt'), people: drop('links') })
    expect(await result(defaulted, '0.9')).toBe(0)
    expect(await result(defaulted, '1.0')).toEqual(['package.row', 'seed'])
    expect(await result(await lacking({ teams: drop('name') }), '0.9')).toEqual(['package.row', 'name'])
  })

  test('of a package of everybody, what names nothing is null or left out', async () => {
    const nowhere = '00000000-0000-4000-8000-00000000abcd'
    const lost = (members: Row) => (rows: Row[]) => rows.map((row) => ({ ...row, ...members }))
    const source = await sourceOf(packages.public as Buffer, {
      poolMaps: lost({ flairGuid: nowhere }),
      members: lost({ userGuid: nowhere }),
      queues: lost({ channelGuid: nowhere }),
    })
    const wish = { caller: world.organiser.guid, mode: 'copy', id: 'lost-cup' } as const
    const { skipped, tournamentGuid } = await importInto(api, source, wish)
    expect(skipped.map(({ path }) => path).toSorted()).toEqual([
      ...['data/members.ndjson', 'data/queues.ndjson', 'data/sessionRows.ndjson'],
    ])
    const texts = await textsOf(await takePackage(api, tournamentGuid, world.organiser))
    expect(rowsIn(texts, 'poolMaps').every(({ flairGuid }) => flairGuid === null)).toBe(true)
    expect(rowsIn(texts, 'members')).toEqual([])
    const oneSided = await sourceOf(packages.public as Buffer, {
      matches: (rows) => rows.map((row) => ({ ...row, sides: (row.sides as Row[]).slice(1) })),
    })
    const refused = await importInto(api, oneSided, { ...wish, id: 'one-sided-cup' }).catch(({ data }) => data)
    expect(refused).toMatchObject({ path: 'data/matches.ndjson', member: 'sides' })
  })
})

describe('brackets that were played', () => {
  let made: MadeBracket
  let brackets: readonly BracketBody[]
  beforeAll(async () => {
    made = await makeBracket(api, { format: 'double_elimination', teams: 6 })
    const others = [
      await addBracket(api, made, { format: 'round_robin', division: 'main' }),
      await addBracket(api, made, { format: 'swiss', division: 'main', settings: { rounds: 3 } }),
      await addBracket(api, made, { format: 'single_elimination', division: 'main', settings: { thirdPlace: true } }),
    ]
    brackets = [made.bracket, ...others]
    const put = async (match: BracketBody, body: object) => {
      const { status, text } = await api.put(`${made.path}/matches/${match.guid}/result`, made.organiser, body)
      if (status !== 200) throw new Error(text)
    }
    const readyIn = async (guid: string) =>
      (await api.get(`${made.path}/brackets/${guid}`, made.organiser)).body.matches.filter(
        ({ status }: BracketBody) => status === 'ready',
      )
    for (const [index, { guid }] of brackets.entries()) {
      const [first, ...rest] = await readyIn(guid)
      await put(first, { outcome: 'walkover', winner: 1 })
      for (const match of rest) await put(match, resultOf(match))
      if (index === 2) await api.post(`${made.path}/brackets/${guid}/rounds`, made.organiser)
    }
    const [game] = await readyIn(brackets[0].guid)
    await api.post(`${made.path}/matches/${game.guid}/start`, made.organiser)
    await api.put(`${made.path}/matches/${game.guid}/games/1`, made.organiser, { sides: [{ score: 9 }, { score: 5 }] })
    const gone = made.teams[4]?.guid
    await api.post(`${made.path}/teams/${gone}/withdraw`, made.organiser, { reason: 'Ill' })
  })

  /** Without names, GUIDs and times. */
  function valuesOf(bracket: BracketBody, standings: BracketBody) {
    const { format, settings, status, matches } = bracket
    return {
      ...{ format, settings, status },
      matches: matches.map(
        ({ number, section, round, status: state, outcome: how, sides, bestOf, games }: BracketBody) => ({
          ...{ number, section, round, state, how, bestOf },
          games: games?.map(({ number: of, winner }: BracketBody) => [of, winner]),
          sides: sides.map(({ score, result, bye, team }: BracketBody) => [score, result, bye, team !== null]),
        }),
      ),
      standings: JSON.parse(JSON.stringify(standings.standings), (name, value) => (name === 'team' ? null : value)),
    }
  }

  async function valuesIn(as: Caller | null, tournament: string, guid: string) {
    const at = `/tournaments/${tournament}/brackets/${guid}`
    const [bracket, standings] = [await api.get(at, as), await api.get(`${at}/standings`, as)]
    expect([bracket.status, standings.status]).toEqual([200, 200])
    return valuesOf(bracket.body, standings.body)
  }

  test.each(['public', 'anonymised'])(
    'have the same results and tables in a copy (%s), and are played on',
    async (variant) => {
      const bytes = await takePackage(api, made.cup.guid, made.organiser, `variant=${variant}`)
      const reply = await bring(made.organiser, bytes, { id: `played-${variant}` })
      expect(outcome(reply)).toEqual([201, null])
      expect(reply.body.skipped).toEqual([])
      const copy = reply.body.tournament.guid
      const copied = (await api.get(`/tournaments/${copy}/divisions`, made.organiser)).body[0].brackets
      const guidOf = (format: string) => copied.find((each: BracketBody) => each.format === format).guid
      for (const { guid, format } of brackets) {
        const told = await valuesIn(null, made.cup.guid, guid)
        expect(await valuesIn(made.organiser, copy, guidOf(format))).toEqual(told)
      }
      await complete(copy)
      for (const { guid, format } of brackets) {
        expect(await valuesIn(null, copy, guidOf(format))).toEqual(await valuesIn(null, made.cup.guid, guid))
      }
      await api.sql(`update tournaments set status = 'ongoing' where guid = $1`, [copy])
      await touch(api, copy)
      for (const { format } of brackets) {
        const at = `/tournaments/${copy}/brackets/${guidOf(format)}`
        for (;;) {
          const { matches } = (await api.get(at, made.organiser)).body
          const open = matches.find(({ status }: BracketBody) => status === 'ready' || status === 'running')
          if (open === undefined) break
          const told = await api.put(`/tournaments/${copy}/matches/${open.guid}/result`, made.organiser, {
            ...{ outcome: 'score', winner: 2 },
          })
          expect(outcome(told)).toEqual([200, null])
        }
      }
      const states = (await api.get(`/tournaments/${copy}/divisions`, made.organiser)).body[0].brackets
      expect(
        states.filter(({ format }: BracketBody) => format !== 'swiss').map(({ status }: BracketBody) => status),
      ).toEqual(Array(3).fill('completed'))
      const round = await api.post(`/tournaments/${copy}/brackets/${guidOf('swiss')}/rounds`, made.organiser)
      expect(round.status).toBe(201)
    },
  )
})
