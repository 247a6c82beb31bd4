import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import { type Version, versionKinds } from '../../sceneDocuments/types.ts'

/** The format has a separate schema, which the API description need not repeat. */
export const SceneDocumentView = Type.Unsafe<SceneDocument>({
  type: 'object',
  additionalProperties: true,
  title: 'SceneDocument',
  description:
    'What an overlay looks like, in the form of `/overlays/scene-schema.json`. At most a mebibyte, 20 scenes, and 2,000 elements.',
  examples: [
    {
      schemaVersion: 1,
      canvas: { width: 1920, height: 1080, background: 'transparent' },
      variables: { accent: '#ffcc00' },
      scenes: {
        gameplay1: {
          name: 'Gameplay',
          order: 'V',
          role: 'gameplay',
          elements: {
            teamname1: {
              type: 'text',
              name: 'Left team',
              order: 'V',
              x: 60,
              y: 40,
              width: 600,
              height: 80,
              props: { text: 'Left', size: 64, color: 'var(accent)' },
              bindings: { text: { property: 'text', path: 'sides.0.team.name', fallback: 'To be decided' } },
            },
          },
        },
      },
    },
  ],
})

/** (overlays: Records) */
export const VersionView = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Of the overlay, from 1; never used again.', examples: [12] }),
    kind: oneOf(versionKinds, {
      description:
        '`published`: pages showed it. `named`: an editor kept it. `automatic`: the service kept it; of these, the last twenty stay.',
    }),
    name: nullable(Type.String({ examples: ['Group stage'] })),
    by: nullable(UserCard, 'Who kept or published it; null for the service, and once the account was given up.'),
    at: Instant,
    bytes: Type.Integer({ minimum: 0, description: 'Of its document as JSON.', examples: [48213] }),
    current: Type.Boolean({ description: 'Whether it is the one that pages show.' }),
  },
  { title: 'OverlayVersion', description: 'The document of an overlay, as it once was.' },
)
export type VersionView = Static<typeof VersionView>

export async function versionViews(db: Db, versions: readonly Version[]): Promise<VersionView[]> {
  const users = await listUserFacts(
    db,
    versions.flatMap(({ by }) => (by === null ? [] : [by])),
  )
  return versions.map(({ number, kind, name, by, at, bytes, current }) => {
    const user = by === null ? undefined : users.get(by)
    return {
      number,
      kind,
      name,
      bytes,
      current,
      by: user === undefined ? null : userCard(user),
      at: formatInstant(at),
    }
  })
}

export async function versionView(db: Db, version: Version): Promise<VersionView> {
  const [view] = await versionViews(db, [version])
  if (view === undefined) throw new Error('one version was asked for')
  return view
}

export const VersionWithDocument = Type.Object(
  { version: VersionView, document: SceneDocumentView },
  { title: 'OverlayVersionDocument' },
)

export const PublishedView = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'Number of the version.', examples: [12] }),
    document: SceneDocumentView,
  },
  { title: 'PublishedScenes', description: 'What the pages of an overlay show.' },
)

/** The draft after it was replaced, without the document that the caller sent. */
export const DraftView = Type.Object(
  {
    overlay: Guid,
    revision: Type.Integer({ description: 'Which is published by this number.', examples: [418] }),
  },
  { title: 'SceneDraft' },
)
