import type { SignedIn } from '../../../../core/actor.ts'
import { isOver } from '../../../../engine/verdict.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockBracket, updateBracket } from '../../brackets/store/brackets.ts'
import { listMatchesByGuid, setStreamUrls } from '../../matches/store/matches.ts'
import type { MatchRecord } from '../../matches/types.ts'

/**
 * Sets the stream addresses of matches. Completed and cancelled matches, and matches that have the address already,
 * stay as they are. (media-and-streaming: S13)
 * @param addresses by match GUID, all in one tournament; GUIDs of deleted matches are ignored
 */
export async function changeStreamUrls(
  tx: Tx,
  { actor, tournamentGuid, now }: { readonly actor: SignedIn; readonly tournamentGuid: string; readonly now: Date },
  addresses: ReadonlyMap<string, string>,
): Promise<void> {
  const isToChange = (match: MatchRecord) => !isOver(match) && match.streamUrl !== addresses.get(match.guid)
  const list = async () => (await listMatchesByGuid(tx, [...addresses.keys()])).filter(isToChange)
  const brackets = [...new Set((await list()).map(({ bracketGuid }) => bracketGuid))].sort()
  for (const guid of brackets) await lockBracket(tx, guid)
  // A match may have ended or been deleted since it was read.
  const locked = new Set(brackets)
  const matches = (await list()).filter(({ bracketGuid }) => locked.has(bracketGuid))
  await setStreamUrls(
    tx,
    matches.map(({ guid }) => ({ guid, streamUrl: addresses.get(guid) as string })),
    now,
  )
  for (const guid of new Set(matches.map(({ bracketGuid }) => bracketGuid))) await updateBracket(tx, guid, {}, now)
  for (const { guid, number, bracketGuid, streamUrl } of matches) {
    emit(tx, {
      type: 'match.updated',
      subject: guid,
      tournament: tournamentGuid,
      actor: actor.guid,
      before: { number, streamUrl },
      after: { number, streamUrl: addresses.get(guid) as string },
      touches: [bracketGuid],
    })
  }
}
