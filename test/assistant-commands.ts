import { expect } from 'vitest'
import { linkBody, verifyRanking } from './assistant.ts'
import type { BracketBody, MadeBracket } from './bracket-play.ts'
import type { FakeAssistant } from './fakes/assistant/types.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { makePool } from './pools.ts'

interface Around {
  readonly made: MadeBracket
  /** The admin of both tournaments, who set the link and controls the open sessions. */
  readonly admin: Caller
  /** A tournament whose link is not used. */
  readonly beside: MadeTournament
  /** Each with both teams. */
  readonly matches: readonly [BracketBody, BracketBody, BracketBody, BracketBody]
}

/**
 * Targets and inputs for the commands of the assistant: of four matches one has no session, and one is ready to play.
 */
export async function assistantCommands(
  api: Harness,
  fake: FakeAssistant,
  { made, admin, beside, matches: [toOpen, controlled, played, toClose] }: Around,
) {
  const link = { ...linkBody(fake), allowModify: true }
  for (const { guid } of [made.cup, beside]) await done(api.put(`/tournaments/${guid}/assistant`, admin, link))
  const players = played.sides.map(({ team }: BracketBody) => {
    const index = made.teams.findIndex(({ guid }) => guid === team.guid)
    return made.captains[index] as Caller
  }) as Caller[]
  for (const user of players) fake.player({ platformId: await verifyRanking(api, user), name: user.username })
  const address = ({ guid }: BracketBody) => `${made.path}/matches/${guid}/assistant`
  for (const match of [controlled, played, toClose]) await done(api.post(address(match), admin))
  const here = address(played)
  await expect
    .poll(async () => (await api.get(here, admin)).body.phase, { timeout: 30_000, interval: 100 })
    .toBe('ready')
  const map = { hash: 'a'.repeat(40), characteristic: 'Standard', difficulty: 'Expert' }
  await done(api.put(`${here}/map`, admin, map))
  await done(api.post(`${here}/load`, admin))
  // Long enough for a busy machine to reach the commands.
  await api.sql(`update assistant_sessions set controller_until = now() + interval '1 hour' where closed_at is null`)
  const pool = (await makePool(api, made.cup.guid, { name: 'Pushed', status: 'published', maps: [] })).guid
  const at = { match: played.guid as string }
  const [first] = players
  return {
    'assistant.test': {},
    'assistant.push': { body: { pool } },
    'assistant.update': { body: link },
    'assistant.remove': { in: beside },
    'assistant.open': { at: { match: toOpen.guid } },
    'assistant.control': { at: { match: controlled.guid }, body: { action: 'renew' } },
    'assistant.setDelays': { at, body: [{ user: first?.guid, delayMs: 1_200 }] },
    'assistant.setMap': { at, body: { ...map, difficulty: 'Hard' } },
    'assistant.load': { at, body: { force: true, reason: 'The match is decided.' } },
    'assistant.readyCheck': { at },
    'assistant.syncColor': { at, body: { color: '#ff00aa' } },
    'assistant.play': {
      at,
      body: { mode: 'now', ignore: ['not_ready'], force: true, reason: 'The match is decided.' },
    },
    'assistant.modify': { at, body: { modifier: 'InvertColors', confirm: true } },
    'assistant.return': { at },
    'assistant.resync': { at },
    'assistant.setPlayer': { at: { ...at, user: first?.guid ?? '' }, body: { platformId: null } },
    'assistant.close': { at: { match: toClose.guid } },
  }
}

async function done(call: Promise<Reply>): Promise<void> {
  const { status, text } = await call
  expect([status, status < 300 ? '' : text]).toEqual([status, ''])
}
