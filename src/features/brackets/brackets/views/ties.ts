import { type Static, Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import { type TieRuling, tieDeciders } from '../types.ts'

/** The members of a request body that decide ties, wherever places are filled from a table. (D67) */
export const tieMembers = {
  order: Type.Optional(
    Type.Array(Guid, {
      minItems: 2,
      maxItems: 4_096,
      description: 'After `tie.undecided`: all of the tied teams, the best first.',
    }),
  ),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Why the teams are ordered so; it stands in the log.' }),
  ),
  draw: Type.Optional(
    Type.Boolean({
      description:
        'Draws the order of the tied teams by the seed to which `tie.undecided` has committed. The same tie is always drawn alike. A dry run draws nothing, and leaves these places empty.',
    }),
  ),
}

/** The members of an answer that has decided ties. */
export const rulingMembers = {
  ties: Type.Optional(
    Type.Array(
      Type.Object(
        {
          groupIndex: nullable(Type.Integer(), 'null where they are in several groups, or there are none.'),
          places: Type.Array(Type.Integer({ examples: [2] }), { description: 'What they were tied for.' }),
          decidedBy: oneOf(tieDeciders),
          teams: Type.Array(TeamRef, { description: 'In the order that was decided, or will be drawn from.' }),
        },
        { title: 'DecidedTie' },
      ),
      { description: 'Ties that decided who goes on.' },
    ),
  ),
  commitment: Type.Optional(
    Type.String({ description: 'SHA-256 of the seed of the draw, in hex digits; told before the draw.' }),
  ),
  seed: Type.Optional(
    Type.String({ description: 'Of the draw, in hex digits: 32 bytes for each of `ties`, in their order.' }),
  ),
}
const Ruling = Type.Object(rulingMembers)
type RulingView = Static<typeof Ruling>

export function rulingView(ruling: TieRuling | null, teams: ReadonlyMap<string, TeamRef>): RulingView {
  if (ruling === null) return {}
  const { ties, decidedBy, commitment, seed } = ruling
  return {
    ties: ties.map(({ group, places, teams: tied }) => ({
      groupIndex: group,
      places: [...places],
      decidedBy,
      teams: tied.flatMap((guid) => teams.get(guid) ?? []),
    })),
    ...(commitment === null ? {} : { commitment }),
    ...(seed === null ? {} : { seed }),
  }
}
