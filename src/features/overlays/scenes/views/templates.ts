import { type Static, Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { type SceneDocument, sceneRoles } from '../../../../engine/scenes/document.ts'
import { inOrder } from '../../../../engine/scenes/order.ts'
import type { BuiltInTemplate } from '../../../../engine/scenes/templates/templates.ts'
import type { Overlay } from '../../overlays/types.ts'
import type { Template, TemplateScene, TemplateWithDocument } from '../../sceneDocuments/store/templates.ts'
import { SceneDocumentView } from './versions.ts'

const templateMembers = {
  key: nullable(Type.String({ examples: ['duel'] }), 'Of a built-in one.'),
  guid: nullable(Guid, 'Of one’s own, or of the overlay; null for a built-in one.'),
  name: Type.String({ examples: ['Duel'] }),
  description: Type.String({ examples: ['Two players beside each other.'] }),
  previewUrl: nullable(Type.String({ format: 'uri' }), 'Of a picture; null as long as there is none.'),
  origin: oneOf(['built_in', 'own', 'tournament'], { description: '`tournament`: an overlay that is there.' }),
  scenes: Type.Array(
    Type.Object({ name: Type.String({ examples: ['Gameplay'] }), role: nullable(oneOf(sceneRoles)) }),
    {
      description: 'In their order. Of an overlay those that its pages show: none as long as nothing was published.',
    },
  ),
}

export const TemplateView = Type.Object(templateMembers, { title: 'OverlayTemplate' })
export type TemplateView = Static<typeof TemplateView>

export const WholeTemplateView = Type.Object(
  {
    ...templateMembers,
    document: SceneDocumentView,
  },
  { title: 'WholeOverlayTemplate' },
)
export type WholeTemplateView = Static<typeof WholeTemplateView>

export function templateView({ guid, name, description, scenes }: Template): TemplateView {
  return { key: null, guid, name, description, previewUrl: null, origin: 'own', scenes: [...scenes] }
}

export function wholeTemplateView({ document, ...template }: TemplateWithDocument): WholeTemplateView {
  return { ...templateView({ ...template, scenes: scenesIn(document) }), document }
}

export function builtInView({ key, name, description, document }: BuiltInTemplate): TemplateView {
  return { key, guid: null, name, description, previewUrl: null, origin: 'built_in', scenes: scenesIn(document) }
}

export function wholeBuiltInView(template: BuiltInTemplate): WholeTemplateView {
  return { ...builtInView(template), document: template.document }
}

/** An overlay in the list of templates; it is copied like a template. */
export function overlayAsTemplateView({ guid, name }: Overlay, scenes: readonly TemplateScene[]): TemplateView {
  return { key: null, guid, name, description: '', previewUrl: null, origin: 'tournament', scenes: [...scenes] }
}

function scenesIn({ scenes }: SceneDocument): TemplateScene[] {
  return inOrder(scenes).map(([, { name, role = null }]) => ({ name, role }))
}
