import { Type } from 'typebox'
import { exampleGuid } from '../../../../core/schema.ts'
import { packageFormat, packageVersion } from '../../sceneDocuments/rules/packages.ts'
import { SceneDocumentView } from './versions.ts'

const example = {
  format: packageFormat,
  version: packageVersion,
  document: {
    schemaVersion: 1,
    canvas: { width: 1920, height: 1080, background: 'transparent' },
    scenes: { start0001: { name: 'Start', order: 'V', role: 'start', elements: {} } },
  },
  assets: [],
}

export const PackageView = Type.Object(
  {
    format: Type.Literal(packageFormat),
    version: Type.Literal(packageVersion),
    document: SceneDocumentView,
    assets: Type.Array(
      Type.Object({
        media: Type.String({ format: 'uuid', description: 'By which the document names it.' }),
        name: Type.String({ maxLength: 120 }),
        kind: Type.Enum(['overlay_image', 'overlay_video', 'overlay_font']),
        type: Type.String({ description: 'Media type.', examples: ['image/webp'] }),
        data: Type.String({ description: 'Base64, with padding.', examples: ['UklGRg=='] }),
      }),
      { maxItems: 500, description: 'Each medium that the document shows, once.' },
    ),
  },
  { title: 'OverlayPackage', examples: [example] },
)

export const TakenPackageView = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the draft, which is the document of the package now.' }),
    media: Type.Array(
      Type.Object({
        given: Type.String({ format: 'uuid', description: 'As the package named it.' }),
        guid: Type.String({ format: 'uuid', description: 'As the draft names it.' }),
      }),
      { examples: [[{ given: exampleGuid, guid: exampleGuid }]] },
    ),
  },
  { title: 'TakenOverlayPackage' },
)

/** If `name` is null, the fault is in the package itself. */
export const PackageRefusal = Type.Object({
  message: Type.String(),
  faults: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.Union([Type.String(), Type.Null()], { description: 'Of the asset that is refused.' }),
        pointer: Type.String({ description: 'JSON pointer into the package.', examples: ['/assets/0/data'] }),
        words: Type.String({ examples: ['must be base64, and not empty'] }),
      }),
      { maxItems: 50 },
    ),
  ),
})
