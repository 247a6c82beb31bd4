import { Type } from 'typebox'
import { anyone, signedIn, strangers } from '../../../../core/actor.ts'
import { command, query } from '../../../../core/operation.ts'
import { exampleGuid, nullable } from '../../../../core/schema.ts'
import { createTemplate, removeTemplate } from '../commands/templates.ts'
import { readTemplate, readTemplates } from '../queries.ts'
import { TemplateView, WholeTemplateView, wholeTemplateView } from '../views/templates.ts'

const list = query({
  name: 'overlayTemplates.list',
  method: 'GET',
  path: '/overlay-templates',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'What overlays can be made from: built-in templates, and the caller’s own.',
  description:
    'Without a token the built-in ones alone. With `tournament` also its overlays that the caller may edit, since an overlay can be copied.',
  query: Type.Object({
    tournament: Type.Optional(
      Type.String({ maxLength: 100, description: 'GUID or short id of a tournament whose overlays are shown too.' }),
    ),
  }),
  reply: { 200: Type.Array(TemplateView) },
  problems: { 'tournament.unknown': 404 },
  run: ({ db, actor, query: { tournament } }) => readTemplates(db, actor, tournament),
})

const read = query({
  name: 'overlayTemplates.read',
  method: 'GET',
  path: '/overlay-templates/:overlayTemplate',
  scope: 'public',
  allow: anyone,
  summary: 'A template with its document.',
  description: 'A built-in one by its key, for everybody; one of one’s own by its GUID.',
  reply: { 200: WholeTemplateView },
  problems: { 'template.unknown': 404 },
  audience: strangers,
  run: ({ db, actor, overlayTemplate }) => readTemplate(db, actor, overlayTemplate),
})

const create = command({
  name: 'overlayTemplates.create',
  method: 'POST',
  path: '/overlay-templates',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Keep the draft of an overlay as a template of one’s own.',
  description:
    'For those who may edit the overlay, of whatever tournament. Later edits of it change nothing here. Media belong to their tournament and are left out: pictures, videos and fonts go along in packages, and in copies within the tournament. At most 50 for each user.',
  body: Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: 60,
        description: 'No other template of the caller has it, in capital letters or not.',
        examples: ['Our duel'],
      }),
      description: Type.Optional(
        Type.String({ maxLength: 500, description: 'For its owner alone.', examples: ['Without the sponsors.'] }),
      ),
      overlay: Type.String({ maxLength: 100, description: 'GUID of the overlay.', examples: [exampleGuid] }),
    },
    { examples: [{ name: 'Our duel', description: 'Without the sponsors.', overlay: exampleGuid }] },
  ),
  reply: { 201: WholeTemplateView },
  problems: {
    'overlay.unknown': 404,
    'user.unknown': 404,
    'template.overlay_forbidden': 403,
    'template.invalid': 400,
    'template.too_many': 409,
    'template.name_taken': 409,
  },
  run: async ({ tx, actor, body: { name, description = '', overlay }, now }) =>
    wholeTemplateView(await createTemplate(tx, actor, { name, description, overlay }, now)),
})

const remove = command({
  name: 'overlayTemplates.delete',
  method: 'DELETE',
  path: '/overlay-templates/:overlayTemplate',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Delete a template of one’s own.',
  description: 'By its GUID. Overlays that were made from it stay as they are.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'template.unknown': 404 },
  run: async ({ tx, actor, overlayTemplate }) => {
    await removeTemplate(tx, actor, overlayTemplate)
    return null
  },
})

export const templateOperations = [list, read, create, remove]
