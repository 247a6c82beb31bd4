import { withTexts } from '../../../../core/json.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { readShown } from '../../../../infra/media/references.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { setUsages } from '../../../../infra/media/usages.ts'
import { organisersAndStaff } from '../../access/policy.ts'
import { mayThere, readNamesIn } from '../../tournaments/queries.ts'
import { lockTournament } from '../../tournaments/store/tournaments.ts'
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
      mediaUrl,
      field,
      kind: 'update_image',
      text: textOf(update, field),
      before: textOf(before, field),
      room: { owners: [authorGuid], tournamentGuid: update.tournamentGuid },
    })
    await setUsages(tx, { subject, subjectGuid: update.guid, field }, shown, now)
  }
}

/** Users who may post updates may remove pictures from them. (D44) */
export const updateMediaFields: readonly MediaField[] = [
  fieldOf('content', contentColumn),
  fieldOf('changes', changesColumn),
]

function fieldOf(field: Field, kept: MediaColumn): MediaField {
  return mediaField({
    subject,
    field,
    kept,
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor),
    mayDetach: async (db, actor, guid) => {
      const update = await findUpdate(db, guid)
      if (update === undefined) return false
      return mayThere(db, actor, update.tournamentGuid, (here) => organisersAndStaff.allows(here, {}))
    },
    lock: async (tx, guid) => {
      const found = await findUpdate(tx, guid)
      const before = found && (await lockTournament(tx, found.tournamentGuid)) && (await lockUpdate(tx, guid))
      return before?.deletedAt === null ? before : undefined
    },
    // The message in the chat is not edited: it may still be under way, and it cannot show the deleted picture anyway.
    update: async (tx, before, { guid, actorGuid, without, now }) => {
      const { title, content, changes, tournamentGuid: tournament } = before
      const next = { title, content, changes, [field]: withTexts(before[field], without) }
      const after = await editUpdate(tx, guid, next, now)
      return { type: 'update.edited', subject: guid, tournament, actor: actorGuid, ...differencesOf(before, after) }
    },
  })
}
