import { forbidden } from '../../../../core/problem.ts'
import { documentTopic } from '../../../../infra/realtime/documents/kind.ts'
import { insiders, mayEdit } from '../../overlays/policy.ts'
import { openScene } from '../../sceneDocuments/commands/coediting.ts'
import { findHead } from '../../sceneDocuments/store/coediting.ts'
import { draftChannel } from '../../sceneDocuments/store/states.ts'

/** The topic on which several users edit a draft at the same time. (OV10) */
export const coediting = documentTopic({
  path: '/tournaments/:tournament/overlays/:overlay/scene',
  summary: 'The draft of an overlay, which several people edit at once.',
  description:
    'A Yjs document whose map `root` is the scene document, with maps down to the members of elements. Editors of the overlay change it; other staff read along.',
  reads: insiders,
  // As over HTTP, scenes are not changed in a rehearsal. (R1)
  edits: (actor, { overlay, tournament }) => tournament.rehearsalOf === null && mayEdit(actor, overlay),
  readOnly: () => forbidden('scene.read_only', 'You read along here; only editors of the overlay may change it.'),
  guidOf: ({ overlay }) => overlay.guid,
  channel: draftChannel,
  exists: async (db, guid) => (await findHead(db, guid)) !== undefined,
  open: openScene,
})
