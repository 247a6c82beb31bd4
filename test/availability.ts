import { expect } from 'vitest'
import type { Caller, Harness, Reply } from './harness.ts'
import type { MadeTeam, MadeTournament } from './make.ts'

/** Availability sheets for tests. Times are hours of 1 May 2026, in UTC. */

export const day = '2026-05-01'

/** 18.25 is 18:15; 24 and more are on the following days. */
export function at(hour: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000).toISOString()
}

export const span = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to) })
export const says = (status: string, from: number, to: number) => ({ status, ...span(from, to) })

/** For staff in all roles, from 18:00 to 22:00. */
export const sheetBody = (changes: object = {}) => ({
  title: 'Finals',
  mode: 'days',
  timezone: 'Europe/Berlin',
  windows: [span(18, 22)],
  ...changes,
})

export const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

export const sheetsOf = (tournament: MadeTournament) => `/tournaments/${tournament.guid}/availability/sheets`

export interface MadeSheet {
  readonly guid: string
  readonly address: string
}

export async function makeSheet(
  api: Harness,
  tournament: MadeTournament,
  as: Caller,
  changes: object = {},
): Promise<MadeSheet> {
  const reply = await api.post(sheetsOf(tournament), as, sheetBody(changes))
  expect([...problem(reply), reply.status === 201 ? '' : reply.text]).toEqual([201, null, ''])
  return { guid: reply.body.guid, address: `${sheetsOf(tournament)}/${reply.body.guid}` }
}

export const respond = (api: Harness, sheet: MadeSheet, as: Caller | null, responses: object[], role?: string) =>
  api.put(`${sheet.address}/responses`, as, { responses, ...(role === undefined ? {} : { role }) })

export const respondFor = (
  api: Harness,
  sheet: MadeSheet,
  team: { readonly guid: string },
  as: Caller | null,
  responses: object[],
) => api.put(`${sheet.address}/teams/${team.guid}/responses`, as, { responses })

export async function answered(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, text, body } = await reply
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  return body
}

interface Shown {
  status: string
  startsAt: string | null
  endsAt: string | null
  matchGuid?: string | null
}

/** Answers in the form `18–18.25 maybe`. */
export function told(responses: readonly Shown[]): string[] {
  return responses.map(({ status, startsAt, endsAt }) => `${hourOf(startsAt)}–${hourOf(endsAt)} ${status}`)
}

function hourOf(instant: string | null): number {
  return (Date.parse(instant ?? '') - Date.parse(`${day}T00:00:00Z`)) / 3_600_000
}

export interface MatchOptions {
  readonly teams?: readonly [MadeTeam | null, MadeTeam | null]
  readonly scheduledAt?: string | null
}

/** Creates matches in a bracket of their own. */
export async function makeMatches(
  api: Harness,
  tournament: MadeTournament,
  matches: readonly MatchOptions[],
): Promise<string[]> {
  const [bracket] = await api.sql<{ guid: string; division: string }>(
    `with d as (
       insert into divisions (tournament_guid, id, name, "order")
       values ($1, 'd' || (select count(*) from divisions), 'Division', 1) returning guid)
     insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
     select $1, guid, 'Bracket', 1, 'single_elimination', '{}', 'ready', 0 from d returning guid, division_guid as division`,
    [tournament.guid],
  )
  const guids: string[] = []
  for (const [index, { teams = [null, null], scheduledAt = null }] of matches.entries()) {
    const [match] = await api.sql<{ guid: string }>(
      `insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, team1_guid,
         team2_guid, sides, best_of, scheduled_at)
       values ($1, $2, $3, $4, 'upper', 1, 'ready', $5, $6, '[]', 3, $7) returning guid`,
      [
        tournament.guid,
        bracket?.division,
        bracket?.guid,
        index + 1,
        teams[0]?.guid ?? null,
        teams[1]?.guid ?? null,
        scheduledAt,
      ],
    )
    guids.push(match?.guid as string)
  }
  return guids
}
