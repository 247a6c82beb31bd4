import type { Counts } from '../../../tournaments/tournaments/types.ts'
import type { Team } from '../../teams/types.ts'
import { disqualify, qualify } from './registration-status.ts'

/** A list of teams to qualify, with their seeds. */
export interface Seeding {
  readonly seeds: ReadonlyMap<string, number>
  /** Teams that an earlier list qualified. If this list does not name them, they leave the main bracket. */
  readonly leaving: ReadonlySet<string>
}

/** A team that a seeding changes. */
export interface Seeded {
  readonly before: Team
  readonly after: Team
  readonly counts: Partial<Counts>
}

/**
 * Applies a seeding to the registered and qualified teams; returns only the teams that change. A team that was
 * qualified by hand stays qualified, but loses its seed if the list gives that seed to another team.
 * (additions: Qualifiers)
 */
export function seedTeams(teams: readonly Team[], { seeds, leaving }: Seeding, now: Date): Seeded[] {
  const given = new Set(seeds.values())
  return teams.flatMap((before) => {
    const transition = transitionOf(before, seeds.get(before.guid), { leaves: leaving.has(before.guid), given })
    if (transition === null) return []
    const { status, seed } = { ...before, ...transition.team }
    if (status === before.status && seed === before.seed) return []
    return { before, after: { ...before, ...transition.team, updatedAt: now }, counts: transition.counts }
  })
}

function transitionOf(
  team: Team,
  seed: number | undefined,
  { leaves, given }: { readonly leaves: boolean; readonly given: ReadonlySet<number> },
) {
  if (seed !== undefined) return qualify(team, seed)
  if (team.status !== 'qualified') return null
  if (leaves) return disqualify(team)
  return team.seed !== null && given.has(team.seed) ? qualify(team, null) : null
}
