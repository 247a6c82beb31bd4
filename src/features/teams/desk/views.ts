import { type Static, Type } from 'typebox'
import type { Actor } from '../../../core/actor.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { JudgedTeam } from '../registration/queries.ts'
import { VerdictView, verdictView } from '../registration/views.ts'
import { teamStatuses } from '../teams/types.ts'
import { AnswerView, TeamRef, visibleAnswers } from '../teams/views/teams.ts'
import type { DeskTeam, Note } from './types.ts'

export const NoteView = Type.Object(
  {
    note: nullable(Type.String({ examples: ['Asked them for the second player.'] }), 'Plain text for the staff alone.'),
    notedAt: nullable(Instant),
  },
  { title: 'RegistrationNote' },
)

export function noteView(note: Note | null): Static<typeof NoteView> {
  return { note: note?.note ?? null, notedAt: formatInstant(note?.updatedAt ?? null) }
}

/** A team at the registration desk. */
export const DeskEntry = Type.Object(
  {
    team: TeamRef,
    status: oneOf(teamStatuses),
    seed: nullable(Type.Integer({ examples: [3] })),
    since: {
      ...Instant,
      description:
        'Since when it stands so: its registration, its withdrawal, or its making. A qualified team keeps the time of its registration, which is when it got its place.',
    },
    withdrawnAt: nullable(Instant),
    changedAt: nullable(
      Instant,
      'When roster, name, looks or captain last changed after the registration; null where the team is as it was registered, or has no place.',
    ),
    members: Type.Array(
      Type.Object({
        guid: Guid,
        name: Type.String({ examples: ['Quaver'] }),
        isActive: Type.Boolean(),
        isCaptain: Type.Boolean(),
      }),
      { description: 'In the order in which they joined.' },
    ),
    answers: Type.Array(AnswerView, { description: 'To all additional fields, private ones among them.' }),
    eligibility: VerdictView,
    ...NoteView.properties,
  },
  { title: 'RegistrationDeskEntry' },
)
export type DeskEntry = Static<typeof DeskEntry>

export function deskEntry({ team, changedAt, note }: DeskTeam, judged: JudgedTeam, viewer: Actor): DeskEntry {
  const { guid, id, name, imageUrl, color, status, seed, captainGuid, withdrawnAt } = team
  const { entry, members, answers, eligibility } = judged
  return {
    team: { guid, id, name, imageUrl, color },
    status,
    seed,
    since: formatInstant(withdrawnAt ?? team.registeredAt ?? team.createdAt),
    withdrawnAt: formatInstant(withdrawnAt),
    changedAt: status === 'unregistered' ? null : formatInstant(changedAt),
    members: members.map((member) => ({
      guid: member.userGuid,
      name: member.name,
      isActive: member.isActive,
      isCaptain: member.userGuid === captainGuid,
    })),
    answers: visibleAnswers(entry.tournament, { team, answers, members }, viewer),
    eligibility: verdictView(eligibility),
    ...noteView(note),
  }
}
