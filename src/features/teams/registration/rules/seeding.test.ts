import { expect, test } from 'vitest'
import type { Team } from '../../teams/types.ts'
import { seedTeams } from './seeding.ts'

const now = new Date('2026-05-01T12:00:00Z')

function team(guid: string, status: Team['status'], seed: number | null = null): Team {
  return {
    guid,
    status,
    seed,
    tournamentGuid: 't',
    id: guid,
    name: guid,
    pronunciation: null,
    imageUrl: null,
    color: null,
    captainGuid: 'c',
    rosterLocked: true,
    registeredAt: now,
    withdrawnAt: null,
    withdrawnReason: null,
    createdAt: now,
    updatedAt: now,
  }
}

const seeded = (teams: readonly Team[], seeds: Readonly<Record<string, number>>, leaving: readonly string[] = []) =>
  seedTeams(teams, { seeds: new Map(Object.entries(seeds)), leaving: new Set(leaving) }, now).map(
    ({ after, counts }) => [
      after.guid,
      `${after.status} ${after.seed} ${after.rosterLocked ? 'locked' : 'free'}`,
      counts.qualified,
    ],
  )

/** Seeding a tournament's teams from a list. (additions: Qualifiers) */
test('a seeding advances its teams, sends back those of an earlier one, and leaves nobody a seed of another', () => {
  const teams = [
    team('new', 'registered'),
    team('moved', 'qualified', 1),
    team('same', 'qualified', 3),
    team('out', 'qualified', 2),
    team('byHand', 'qualified', 2),
    team('byHandBeyond', 'qualified', 9),
    team('idle', 'registered'),
  ]
  expect(seeded(teams, { new: 1, moved: 2, same: 3 }, ['moved', 'out', 'idle', 'gone'])).toEqual([
    ['new', 'qualified 1 locked', 1],
    ['moved', 'qualified 2 locked', 0],
    ['out', 'registered null free', -1],
    ['byHand', 'qualified null locked', 0],
  ])
})

test('the same seeding again changes nothing', () => {
  expect(seeded([team('a', 'qualified', 1), team('b', 'registered')], { a: 1 }, ['a'])).toEqual([])
})
