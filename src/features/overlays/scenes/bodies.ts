import { Type } from 'typebox'
import { nullable } from '../../../core/schema.ts'
import { SceneDocumentView } from './views/versions.ts'

export const DocumentBody = SceneDocumentView

const VersionName = Type.String({ minLength: 1, maxLength: 60, examples: ['Group stage'] })

export const PublishBody = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the draft, as it was seen.' }),
    name: Type.Optional(nullable(VersionName, 'By which the version is found again.')),
  },
  { examples: [{ revision: 0, name: 'Group stage' }] },
)

export const KeepBody = Type.Object({ name: VersionName }, { examples: [{ name: 'Before the finals' }] })

export const RestoreBody = Type.Object(
  {
    publish: Type.Optional(
      Type.Boolean({ description: 'Whether pages show it at once, which publishers alone may ask for.' }),
    ),
  },
  { examples: [{ publish: true }] },
)
