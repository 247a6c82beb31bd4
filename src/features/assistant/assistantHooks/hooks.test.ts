import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type AssistantWorld,
  type MadeAssistantPlay,
  makeAssistantPlay,
  putLink,
  startAssistantWorld,
  verifyRanking,
} from '../../../../test/assistant.ts'
import type { FakeQualifier } from '../../../../test/fakes/assistant/types.ts'
import { outcome } from '../../../../test/harness.ts'
import { songOfMatch } from '../../../../test/proposals.ts'
import { type Stage, someMaps, stage } from '../../../../test/qualifiers.ts'
import { setPlayState } from '../proposals/commands/plays.ts'

let world: AssistantWorld
beforeAll(async () => {
  world = await startAssistantWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const hookSecret = 'a secret of hooks that nobody can guess'
let sequence = 0

interface Sending {
  readonly secret?: string
  readonly at?: Date | number
  readonly delivery?: string
  readonly text?: string
  readonly signature?: string | null
  readonly to?: AssistantWorld
}

/** Sends a hook in the form that the assistant sends. */
function send(path: string, data: object, sending: Sending = {}) {
  const { api, fake } = sending.to ?? world
  const { secret = hookSecret, at = new Date(), delivery = `delivery-${++sequence}` } = sending
  const body = { id: delivery, timestamp: at, tournamentId: fake.tournament.guid, oneOfKind: 'x', data }
  const raw = sending.text ?? JSON.stringify(body)
  const signature = sending.signature ?? `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
  return api.call('POST', `${path}/assistant/hooks`, {
    as: null,
    raw,
    headers: {
      'content-type': 'application/json',
      'x-ta-webhook-delivery': delivery,
      ...(sending.signature === null ? {} : { 'x-ta-signature-256': signature }),
    },
  })
}

describe('attempts', () => {
  interface Cup extends Stage {
    readonly path: string
    readonly event: FakeQualifier
    readonly platformId: string
  }

  /** Links the tournament with a hook secret. A test that wants no process to listen gives a closed port. */
  async function linked(body: object = {}): Promise<Cup> {
    const { api, fake } = world
    const it = await stage(api, { attempts: 3 })
    const path = `/tournaments/${it.cup.tournament.id}`
    const platformId = await verifyRanking(api, it.player)
    const event = fake.addQualifier({ maps: someMaps(2).map(({ hash, name }) => ({ hash, name })) })
    const settings = { qualifierEvents: [event.guid], hookSecret, ...body }
    expect((await putLink(api, fake, { path, organiser: it.cup.organiser }, settings)).status).toBe(200)
    return { ...it, path, event, platformId }
  }

  const deaf = { port: 1 }
  const ledger = async ({ cup }: Stage) =>
    (await world.api.get(`${cup.path}/attempts?limit=100`, cup.organiser)).body.attempts
  const attempt = ({ event, platformId }: Cup, score: number, more: object = {}) => ({
    qualifierScoreSubmitted: {
      tournamentId: world.fake.tournament.guid,
      event: { guid: event.guid },
      map: {
        beatmap: {
          levelId: `custom_level_${'1'.repeat(40)}`,
          characteristic: { serializedName: 'Standard' },
          difficulty: 4,
        },
      },
      qualifierScore: {
        eventId: event.guid,
        mapId: event.maps[0],
        platformId,
        username: 'x',
        modifiedScore: score,
        maxPossibleScore: 1_000,
        accuracy: score / 1_000,
        notesMissed: 1,
        badCuts: 2,
        maxCombo: 3,
        ...more,
      },
    },
  })

  test('are recorded, each once, with a placeholder’s result in its place', async () => {
    const it = await linked(deaf)
    const begun = attempt(it, 0, { isPlaceholder: true })
    expect(outcome(await send(it.path, begun))).toEqual([204, null])
    expect(await ledger(it)).toMatchObject([{ completion: 'placeholder' }])
    const text = JSON.stringify({ id: 'x', timestamp: Date.now(), data: attempt(it, 500) })
    // The same delivery twice, the same body under another id, and the same result in a new body.
    await Promise.all([
      ...[send(it.path, {}, { text, delivery: 'one' }), send(it.path, {}, { text, delivery: 'one' })],
      send(it.path, {}, { text, delivery: 'two' }),
    ])
    await send(it.path, attempt(it, 500))
    expect(await ledger(it)).toMatchObject([
      { score: 500, misses: 1, badCuts: 2, maxCombo: 3, voidedAt: null },
      { completion: 'placeholder', voidedAt: expect.any(String) },
    ])
  })

  test('may be written with underscores, or with capitals', async () => {
    const it = await linked(deaf)
    const { qualifierScoreSubmitted: reported } = attempt(it, 700)
    const named = (value: unknown, name: (of: string) => string): unknown => {
      if (Array.isArray(value)) return value.map((each) => named(each, name))
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([of, each]) => [name(of), named(each, name)]))
    }
    const snake = (of: string) => of.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    await send(it.path, { qualifier_score_submitted: named(reported, snake) } as object)
    const pascal = (of: string) => `${of.charAt(0).toUpperCase()}${of.slice(1)}`
    const { qualifierScoreSubmitted: other } = attempt(it, 800)
    await send(it.path, { QualifierScoreSubmitted: named(other, pascal) } as object)
    expect((await ledger(it)).map(({ score }: { score: number }) => score).toSorted()).toEqual([700, 800])
  })

  test('count once where they come over the connection as well', async () => {
    const it = await linked()
    const { fake } = world
    await fake.until(() => fake.connections > 0, 10_000)
    const submit = (score: number, more: object = {}) =>
      fake.submit(it.event, it.event.maps[0] as string, {
        platformId: it.platformId,
        score,
        maxScore: 1_000,
        misses: 1,
        badCuts: 2,
        maxCombo: 3,
        ...more,
      })
    await vi.waitFor(
      async () => expect((await world.api.get(`${it.path}/assistant`, it.cup.organiser)).body.status.state).toBe('ok'),
      { timeout: 10_000, interval: 50 },
    )
    submit(0, { isPlaceholder: true })
    await expect.poll(() => ledger(it), { timeout: 10_000 }).toHaveLength(1)
    await send(it.path, attempt(it, 0, { isPlaceholder: true }))
    expect(await ledger(it)).toHaveLength(1)
    // A second attempt, whose hook arrives before the packets of the connection.
    await send(it.path, attempt(it, 0, { isPlaceholder: true }))
    submit(0, { isPlaceholder: true })
    submit(400)
    await expect.poll(() => ledger(it), { timeout: 10_000 }).toHaveLength(3)
    await send(it.path, attempt(it, 400))
    const all = await ledger(it)
    expect(all.map(({ completion }: { completion: string }) => completion)).toEqual([
      ...['passed', 'placeholder', 'placeholder'],
    ])
  })
})

describe('results of songs', () => {
  let made: MadeAssistantPlay
  beforeAll(async () => {
    made = await makeAssistantPlay(world, { teams: 8, link: { hookSecret } })
  })

  /** A song that both captains play, in the state that the session of its match left. */
  async function song(number: number, state: 'started' | 'uncertain' = 'started') {
    const { api } = world
    const expected = made.players.flat()
    const match = await made.readMatch(number)
    const players = match.sides.map(({ team }: { team: { guid: string } }, index: number) => {
      const one = expected.find((player) => player.team === team.guid)
      return { userGuid: one?.user.guid, side: index + 1, platformId: one?.platformId, mapped: false }
    })
    const assistantMatch = `match-${number}`
    const begun = await songOfMatch(api, made, number, { expected: players, assistantMatch })
    await api.app.database.transaction((tx) => setPlayState(tx, begun.play.guid, state, new Date()))
    const finish = (index: number, score: number, more: object = {}) => ({
      songFinished: {
        player: { guid: 'u', name: 'x', platformId: players[index].platformId },
        beatmap: {
          levelId: `custom_level_${'A'.repeat(40)}`,
          characteristic: { serializedName: 'Standard' },
          difficulty: 4,
        },
        type: 'Passed',
        score,
        misses: 1,
        badCuts: 0,
        goodCuts: 10,
        endTime: 90.5,
        tournamentId: world.fake.tournament.guid,
        matchId: assistantMatch,
        maxScore: 1_000_000,
        ...more,
      },
    })
    const proposal = async () => (await api.get(begun.address, made.organiser)).body.proposals[0]
    return { ...begun, finish, proposal }
  }

  test('are kept, and proposed once all are in', async () => {
    const it = await song(1)
    expect(outcome(await send(made.path, it.finish(0, 900_000)))).toEqual([204, null])
    expect(await it.proposal()).toMatchObject({ status: 'collecting', players: [{ score: 900_000, misses: 1 }] })
    // Sent by a client that names neither match nor tournament.
    const nameless = { matchId: '', tournamentId: '' }
    await send(made.path, it.finish(1, 800_000, { ...nameless, type: 'Exploded' }))
    expect((await it.proposal()).players).toHaveLength(1)
    await send(made.path, it.finish(1, 800_000, { ...nameless, type: 'failed' }))
    expect(await it.proposal()).toMatchObject({
      status: 'proposed',
      winner: 1,
      players: [{ completion: 'passed' }, { score: 800_000, completion: 'failed' }],
    })
    // A second report with another score becomes a warning.
    await send(made.path, it.finish(0, 950_000))
    const after = await it.proposal()
    expect(after.players[0]).toMatchObject({ score: 900_000 })
    expect(after.warnings).toContainEqual(expect.objectContaining({ code: 'second_report' }))
  })

  test('complete what is uncertain, and nothing else', async () => {
    const it = await song(2, 'uncertain')
    await send(made.path, it.finish(0, 500_000, { tournamentId: 'another' }))
    await send(made.path, it.finish(0, 500_000, { matchId: 'another' }))
    await send(made.path, it.finish(0, 500_000, { player: { platformId: 'nobody' } }))
    expect(await it.proposal()).toBeUndefined()
    await send(made.path, it.finish(0, 500_000))
    const { players, warnings } = await it.proposal()
    expect(players).toMatchObject([{ score: 500_000 }])
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['late', 'player_missing']),
    )
    await world.api.app.database.transaction((tx) => setPlayState(tx, it.play.guid, 'aborted', new Date()))
    await send(made.path, it.finish(1, 600_000))
    expect((await it.proposal()).players).toHaveLength(1)
  })

  test('come only from who knows the secret, and only for a while', async () => {
    const it = await song(3)
    const reported = it.finish(0, 1)
    const refused = async (sending: Sending) => outcome(await send(made.path, reported, sending))
    expect(await refused({ signature: null })).toEqual([401, 'assistant.signature_wrong'])
    expect(await refused({ secret: 'another' })).toEqual([401, 'assistant.signature_wrong'])
    expect(await refused({ signature: 'sha256=00' })).toEqual([401, 'assistant.signature_wrong'])
    const minutes = (count: number) => new Date(Date.now() + count * 60_000)
    expect(await refused({ at: minutes(-6) })).toEqual([400, 'assistant.hook_old'])
    expect(await refused({ at: minutes(6) })).toEqual([400, 'assistant.hook_old'])
    expect(await refused({ text: 'no json' })).toEqual([400, 'assistant.hook_invalid'])
    expect(await refused({ text: '{"data":{}}' })).toEqual([400, 'assistant.hook_invalid'])
    expect((await send(made.path, {}, { text: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413)
    const large = { ...reported, padding: 'x'.repeat(512 * 1024) }
    expect((await send(made.path, { userAdded: large })).status).toBe(204)
    expect((await send(made.path, { songFinished: { score: 'no number' } })).status).toBe(204)
    expect(await it.proposal()).toBeUndefined()
    expect(await refused({ at: minutes(-4) })).toEqual([204, null])
    expect(await it.proposal()).toMatchObject({ status: 'collecting' })
  })

  test('are nobody’s without a secret, and guesses are counted', async () => {
    const it = await stage(world.api)
    const path = `/tournaments/${it.cup.tournament.id}`
    const refused = [401, 'assistant.signature_wrong']
    expect(outcome(await send(path, {}))).toEqual(refused)
    await putLink(world.api, world.fake, { path, organiser: it.cup.organiser })
    expect(outcome(await send(path, {}, { secret: '' }))).toEqual(refused)
    const allowances = { 'sign-in': { calls: 3, seconds: 600 } }
    await using strict = await startAssistantWorld({}, { rateLimits: true }, { allowances })
    const { cup } = await stage(strict.api)
    const place = { path: `/tournaments/${cup.tournament.id}`, organiser: cup.organiser }
    expect((await putLink(strict.api, strict.fake, place, { hookSecret })).status).toBe(200)
    const statuses = async (times: number, sending: Sending) => {
      const all: number[] = []
      for (let n = 0; n < times; n++) all.push((await send(place.path, {}, { ...sending, to: strict })).status)
      return all
    }
    expect(await statuses(5, { signature: null })).toEqual(Array(5).fill(401))
    expect(await statuses(5, { secret: 'a guess' })).toEqual([401, 401, 401, 429, 429])
    // Failed guesses do not block a sender who knows the secret.
    expect(await statuses(2, {})).toEqual([204, 204])
  })
})
