import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import { webAddressFault } from '../../../../core/web.ts'
import { apply } from '../../../../engine/progress.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { checkReach } from '../../../../infra/http/refusals.ts'
import { lockPersonForKeyShare } from '../../../people/users/commands/users.ts'
import { loadUser } from '../../../teams/teams/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { around, deliberate, openBoard, writeBoard } from '../../brackets/commands/board.ts'
import { updateBracket } from '../../brackets/store/brackets.ts'
import { unknownMatch } from '../../matches/rules.ts'
import { type MatchChanges, updateMatch } from '../../matches/store/matches.ts'
import { listOfficials, replaceOfficials } from '../../matches/store/officials.ts'
import type { MatchRecord, Official } from '../../matches/types.ts'
import { readMatchView } from '../../matches/views.ts'
import type { MatchBody } from '../bodies.ts'

/**
 * Changes the given settings. If all of them hold already, nothing is saved. Time, officials, addresses and notes can
 * change at any time; the length can change until a map was played.
 * @throws Problem `match.nothing_to_change`, `match.invalid`, `user.unknown`, `tournament.cancelled`, `match.unknown`,
 * `match.stale`, `rehearsal.not_possible`, and what the engine refuses
 */
export async function changeMatch(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: MatchRecord,
  body: MatchBody,
  now: Date,
): Promise<MatchRecord> {
  const changes = readChanges(body)
  const { bestOf } = body
  if (Object.keys(changes).length === 0 && bestOf === undefined && body.officials === undefined) {
    throw invalid(
      'match.nothing_to_change',
      'Give at least one of scheduledAt, bestOf, officials, streamUrl, vodUrl and notes.',
    )
  }
  checkNotCancelled(tournament)
  // Officials are accounts, and those of a rehearsal are copies. (R1)
  checkReach(tournament, body.officials !== undefined)
  const officials = body.officials && (await readOfficials(tx, actor, body.officials))
  const open = await openBoard(tx, found.bracketGuid, around(found))
  const before = open.records.get(found.number)
  if (before?.guid !== found.guid) throw unknownMatch()
  const earlier = (await listOfficials(tx, [found.guid])).get(found.guid) ?? []
  const wanted = { ...changes, ...(bestOf === undefined ? {} : { bestOf }), ...(officials && { officials }) }
  const present = { ...before, officials: earlier }
  const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (name) => !isDeepStrictEqual(wanted[name], present[name]),
  )
  if (changed.length === 0) return before
  if (body.revision !== undefined && body.revision !== before.revision) {
    const match = await readMatchView(tx, before, actor)
    throw conflict('match.stale', 'The match has changed since this revision; look at it again.', { match })
  }
  // Only the staff sees notes. For all other users nothing has changed, so the revision and the update time stay. (RT6)
  const isShown = changed.some((name) => name !== 'notes')
  if (bestOf !== undefined && changed.includes('bestOf')) {
    const considered = await deliberate(tx, open, (board) =>
      apply(board, { kind: 'best_of', matches: [found.number], bestOf }),
    )
    await writeBoard(tx, considered, { by: actor.guid }, now)
  } else if (isShown) {
    await updateBracket(tx, open.bracket.guid, {}, now)
  }
  if (officials !== undefined && changed.includes('officials')) await replaceOfficials(tx, found.guid, officials)
  const after = await updateMatch(tx, found.guid, changes, isShown, now)
  // The text of notes is not logged, since only the present staff may read it.
  const logged = changed.filter((name) => name !== 'notes')
  emit(tx, {
    type: 'match.updated',
    subject: found.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    before: { number: before.number, ...membersOf(present, logged) },
    after: {
      number: before.number,
      ...membersOf(wanted, logged),
      ...(changed.includes('notes') ? { notesChanged: true } : {}),
    },
    // Those who work at the match, and those who do no longer, may have nothing else in the tournament.
    touches: [open.bracket.guid, ...[...earlier, ...(officials ?? [])].map(({ userGuid }) => userGuid)],
  })
  return after
}

function readChanges({ scheduledAt, streamUrl, vodUrl, notes }: MatchBody): MatchChanges {
  return {
    ...(scheduledAt === undefined ? {} : { scheduledAt: readSchedule(scheduledAt) }),
    ...(streamUrl === undefined ? {} : { streamUrl: readAddress('streamUrl', streamUrl) }),
    ...(vodUrl === undefined ? {} : { vodUrl: readAddress('vodUrl', vodUrl) }),
    ...(notes === undefined ? {} : { notes: notes === '' ? null : notes }),
  }
}

function readSchedule(text: string | null): Date | null {
  return readInstant(text, (reason) => invalid('match.invalid', `\`scheduledAt\` ${reason}.`))
}

function readAddress(name: string, text: string | null): string | null {
  if (text === null || text === '') return null
  const fault = webAddressFault(text)
  if (fault !== null) throw invalid('match.invalid', `\`${name}\` ${fault}.`)
  return text
}

/**
 * Reads the officials in the order in which they are returned. A user has each role once. Locks their accounts, so that
 * none is deleted meanwhile.
 */
async function readOfficials(
  tx: Tx,
  actor: SignedIn,
  named: NonNullable<MatchBody['officials']>,
): Promise<readonly Official[]> {
  const officials = await Promise.all(
    named.map(
      async ({ user, role }): Promise<Official> => ({ userGuid: (await loadUser(tx, actor, user)).guid, role }),
    ),
  )
  const guids = [...new Set(officials.map(({ userGuid }) => userGuid))].sort()
  await Promise.all(guids.map((guid) => lockPersonForKeyShare(tx, guid)))
  const keyOf = ({ role, userGuid }: Official) => `${role} ${userGuid}`
  const unique = new Map(officials.map((official) => [keyOf(official), official]))
  return [...unique.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}
