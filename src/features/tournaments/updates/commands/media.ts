import { withTexts } from '../../../../core/json.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { readShown, withoutMedia } from '../../../../infra/media/references.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { endUsage, setUsages } from '../../../../infra/media/usages.ts'
import { organisersAndStaff } from '../../access/policy.ts'
import { readNamesIn } from '../../tournaments/queries.ts'
import { findTournamentFor, lockTournament } from '../../tournaments/store/tournaments.ts'
import { differencesOf } from '../rules/content.ts'
import { changesColumn, contentColumn, listNamed } from '../store/media.ts'
import { editUpdate, findUpdate, lockUpdate } from '../store/updates.ts'
import type { Content, Update } from '../types.ts'

/** An update shows pictures in its Markdown and in its change cards. (M27) */

const subject = 'update'
type Field = 'content' | 'changes'

function textOf(content: Pick<Content, Field> | null, field: Field): string {
  if (content === null || field === 'content') return content?.content ?? ''
  const texts: string[] = []
  withTexts(content.changes, (text) => {
    texts.push(text)
    return text
  })
  return texts.join('\n')
}

/**
 * Registers the media that the update shows. Each must belong to the author or the tournament; other media are refused.
 * @throws Problem `media.reference_invalid`
 */
export async function useShownMedia(
  tx: Tx,
  update: Pick<Update, 'guid' | 'tournamentGuid' | Field>,
  before: Content | null,
  around: { readonly authorGuid: string; readonly mediaUrl: string; readonly now: Date },
): Promise<void> {
  const { authorGuid, mediaUrl, now } = around
  for (const field of ['content', 'changes'] as const) {
    const shown = await readShown(tx, {
      ...{ mediaUrl, field, kind: 'update_image' },
      ...{ text: textOf(update, field), before: textOf(before, field) },
      room: { owners: [authorGuid], tournamentGuid: update.tournamentGuid },
    })
    await setUsages(tx, { subject, subjectGuid: update.guid, field }, shown, now)
  }
}

/** Users who may post updates may remove pictures from them. (D44) */
export const updateMediaFields: readonly MediaField[] = [
  mediaField('content', contentColumn),
  mediaField('changes', changesColumn),
]

function mediaField(field: Field, kept: MediaColumn): MediaField {
  return {
    ...{ subject, field, kept },
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor),
    mayDetach: async (db, actor, guid) => {
      const update = await findUpdate(db, guid)
      const seen = update && (await findTournamentFor(db, update.tournamentGuid, actor.guid))
      if (seen === undefined) return false
      const isOrganiser = seen.tournament.organiserGuid === actor.guid
      return organisersAndStaff.allows({ ...actor, isOrganiser, roles: new Set(seen.roles) }, {})
    },
    // The message in the chat is not edited: it may still be under way, and it cannot show the deleted picture anyway.
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const found = await findUpdate(tx, guid)
      if (found === undefined || (await lockTournament(tx, found.tournamentGuid)) === undefined) return false
      const before = await lockUpdate(tx, guid)
      if (before === undefined || before.deletedAt !== null) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const { title, content, changes } = before
      const without = (text: string) => withoutMedia(services.config.media.url, text, mediaGuid)
      const next = { title, content, changes, [field]: withTexts(before[field], without) }
      const after = await editUpdate(tx, guid, next, now)
      emit(tx, {
        type: 'update.edited',
        subject: guid,
        tournament: found.tournamentGuid,
        actor: actorGuid,
        ...differencesOf(before, after),
      })
      return true
    },
  }
}
