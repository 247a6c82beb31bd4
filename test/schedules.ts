import { expect } from 'vitest'
import { at, type MadeSheet, makeSheet, problem, respond, respondFor, says, span } from './availability.ts'
import { type MadeBracket, makeBracket } from './bracket-play.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import { type MadeTeam, type MadeTournament, roleHolder } from './make.ts'

/** Schedule proposals for tests. Times are hours of 1 May 2026, in UTC, from 18:00 to 22:00. */

export interface Table extends MadeBracket {
  /** The path of the tournament's proposals. */
  readonly proposals: string
  /** By match number. */
  readonly guids: ReadonlyMap<number, string>
  propose(body?: object, rules?: object): Promise<Reply>
  /** Makes a proposal, which must succeed. */
  proposed(body?: object, rules?: object): Promise<Reply['body']>
  apply(proposal: { readonly guid: string }, as?: Caller, body?: object): Promise<Reply>
}

/** @param options by default a single elimination bracket of four teams */
export async function makeTable(
  api: Harness,
  options: Partial<Parameters<typeof makeBracket>[1]> = {},
): Promise<Table> {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', ...options })
  const proposals = `/tournaments/${made.cup.guid}/schedule/proposals`
  const guids = new Map<number, string>(
    made.bracket.matches.map(({ number, guid }: { number: number; guid: string }) => [number, guid]),
  )
  const propose = (body: object = {}, rules: object = {}) => {
    const matches = 'round' in body ? {} : { matches: [...guids.values()] }
    const usual = { minutesPerMatch: 60, earliest: at(18), latest: at(22) }
    return api.post(proposals, made.organiser, { ...matches, sheets: [], ...body, rules: { ...usual, ...rules } })
  }
  return {
    ...made,
    proposals,
    guids,
    propose,
    proposed: async (body, rules) => {
      const reply = await propose(body, rules)
      expect([...problem(reply), reply.status === 201 ? '' : reply.text]).toEqual([201, null, ''])
      return reply.body
    },
    apply: ({ guid }, as = made.organiser, body = undefined) => api.post(`${proposals}/${guid}/apply`, as, body),
  }
}

/** In the form `3 18–19 Stream 1`. */
export function placed({ placements }: Reply['body']): string[] {
  return placements.map(
    ({ number, startsAt, endsAt, stream }: { number: number; startsAt: string; endsAt: string; stream: string }) =>
      `${number} ${hourOf(startsAt)}–${hourOf(endsAt)} ${stream}`,
  )
}

/** In the form `3 officials`. */
export function unplaced({ unplaced: refusals }: Reply['body']): string[] {
  return refusals.map(({ number, code }: { number: number; code: string }) => `${number} ${code}`)
}

export function hourOf(instant: string): number {
  return (Date.parse(instant) - Date.parse(at(0))) / 3_600_000
}

/** An official with a role and answers for it. */
export async function makeOfficial(
  api: Harness,
  cup: MadeTournament,
  sheet: MadeSheet,
  answers: object[],
  role = 'role:referee',
): Promise<Caller> {
  const official = await roleHolder(api, cup, role)
  expect(problem(await respond(api, sheet, official, answers, role))).toEqual([200, null])
  return official
}

export async function captainOf(api: Harness, team: MadeTeam): Promise<Caller> {
  const [row] = await api.sql<{ guid: string; chat: string; username: string }>(
    `select u.guid, u.chat_platform_id as chat, u.username from teams t join users u on u.guid = t.captain_guid
     where t.guid = $1`,
    [team.guid],
  )
  if (row === undefined) throw new Error('no such team')
  const token = await api.token({ guid: row.guid }, ['rest:write'])
  return { guid: row.guid, chatPlatformId: row.chat, username: row.username, token }
}

/** The captain answers for the team. */
export async function answerFor(api: Harness, sheet: MadeSheet, team: MadeTeam, answers: object[]): Promise<void> {
  expect(problem(await respondFor(api, sheet, team, await captainOf(api, team), answers))).toEqual([200, null])
}

export const free = [says('available', 18, 22)]

export const makeTeamSheet = (api: Harness, { cup, organiser }: Table, changes: object = {}) =>
  makeSheet(api, cup, organiser, { audience: 'teams', slotMinutes: 30, windows: [span(18, 22)], ...changes })
