import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../core/schema.ts'
import { scopes } from '../../core/scopes.ts'
import { formatInstant } from '../../core/time.ts'
import { type Application, applicationTypes } from '../types.ts'

export const ApplicationTypeView = oneOf(applicationTypes, {
  description: 'Whether it can keep a secret: a server can, what runs at its users cannot.',
})

/** An application as its owner sees it, always without the secret. (D23) */
export const ApplicationView = Type.Object(
  {
    clientId: Guid,
    name: Type.String({ examples: ['Overlay Editor'] }),
    imageUrl: nullable(Type.String({ examples: ['https://media.example.org/overlay-editor.png'] })),
    type: ApplicationTypeView,
    scopes: Type.Array(oneOf(scopes), { description: 'What it may ask its users for.' }),
    redirectUris: Type.Array(Type.String({ examples: ['https://client.example/callback'] })),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Application', description: 'An OAuth application.' },
)
export type ApplicationView = Static<typeof ApplicationView>

const ClientSecret = { description: 'Shown this once: only its hash is kept.', examples: ['k7Jw…'] }

export const RegisteredApplicationView = Type.Object(
  {
    ...ApplicationView.properties,
    clientSecret: Type.Optional(
      Type.String({ ...ClientSecret, description: `${ClientSecret.description} Public applications have none.` }),
    ),
  },
  { title: 'RegisteredApplication', description: 'An OAuth application, with its secret where it has one.' },
)

export const NewSecretView = Type.Object({ clientId: Guid, clientSecret: Type.String(ClientSecret) })

export function applicationView(application: Application): ApplicationView {
  return {
    clientId: application.clientId,
    name: application.name,
    imageUrl: application.imageUrl,
    type: application.type,
    scopes: [...application.scopes],
    redirectUris: [...application.redirectUris],
    createdAt: formatInstant(application.createdAt),
    updatedAt: formatInstant(application.updatedAt),
  }
}
