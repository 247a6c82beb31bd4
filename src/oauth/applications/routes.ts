import { Type } from 'typebox'
import { firstParty } from '../../core/actor.ts'
import { Answer, command, query } from '../../core/operation.ts'
import { nullable, oneOf } from '../../core/schema.ts'
import { scopes } from '../../core/scopes.ts'
import { maxAddressLength } from '../../core/web.ts'
import { newSecret } from '../../infra/secrets.ts'
import { listApplications } from '../store/applications.ts'
import { changeApplication, deleteApplication, registerApplication, rotateSecret } from './commands.ts'
import { hasSecret, maxApplications, maxNameLength, maxRedirectUriLength, maxRedirectUris } from './rules.ts'
import {
  ApplicationTypeView,
  ApplicationView,
  applicationView,
  NewSecretView,
  RegisteredApplicationView,
} from './views.ts'

const details = {
  name: Type.String({
    maxLength: maxNameLength,
    description: 'Letters, digits and single spaces. Users see it when they are asked.',
    examples: ['Overlay Editor'],
  }),
  imageUrl: nullable(
    Type.String({ maxLength: maxAddressLength, examples: ['https://media.example.org/overlay-editor.png'] }),
    'The `url` of own media, or an https address elsewhere; null for none.',
  ),
  scopes: Type.Array(oneOf(scopes), {
    minItems: 1,
    uniqueItems: true,
    description: 'What the application may ask its users for.',
  }),
  redirectUris: Type.Array(
    Type.String({ maxLength: maxRedirectUriLength, examples: ['https://client.example/callback'] }),
    {
      minItems: 1,
      maxItems: maxRedirectUris,
      uniqueItems: true,
      description:
        'Where users are sent back to. Matched as text, port and query included, so each must be written as browsers write it. http only for localhost, 127.0.0.1, [::1] and hosts ending .local; no wildcard, fragment or user information.',
    },
  ),
}

const detailProblems = {
  'application.name_invalid': 400,
  'application.image_invalid': 400,
  'media.reference_invalid': 400,
  'application.redirect_invalid': 400,
}
const unknown = { 'application.unknown': 404 }

const list = query({
  name: 'applications.list',
  method: 'GET',
  path: '/oauth/applications',
  scope: 'rest:user:read',
  allow: firstParty,
  summary: 'The caller’s own OAuth applications, oldest first, without their secrets.',
  description: `All of them at once: a user may have ${maxApplications}.`,
  reply: { 200: Type.Array(ApplicationView) },
  run: async ({ db, actor }) => (await listApplications(db, actor.guid)).map(applicationView),
})

const create = command({
  name: 'applications.create',
  returnsSecret: true,
  method: 'POST',
  path: '/oauth/applications',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Register an OAuth application.',
  description: `A user may have ${maxApplications}. The secret of a confidential application is in this answer alone; a public application has none and must use S256 PKCE. Banning its owner does not end an application, for its users are others.`,
  body: Type.Object({ ...details, imageUrl: Type.Optional(details.imageUrl), type: ApplicationTypeView }),
  reply: { 201: RegisteredApplicationView },
  problems: { 'user.unknown': 404, ...detailProblems, 'application.limit_reached': 400 },
  run: async ({ tx, actor, body, services: { config }, now }) => {
    const clientSecret = hasSecret(body.type) ? newSecret() : null
    const around = { mediaUrl: config.media.url, now }
    const record = applicationView(await registerApplication(tx, actor, body, clientSecret, around))
    return clientSecret === null ? record : { ...record, clientSecret }
  },
})

const read = query({
  name: 'applications.read',
  method: 'GET',
  path: '/oauth/applications/:application',
  scope: 'rest:user:read',
  allow: firstParty,
  summary: 'One of the caller’s own OAuth applications, without its secret.',
  description:
    'A secret is shown once, when it is made; `POST /oauth/applications/{application}/secret` makes a new one.',
  reply: { 200: ApplicationView },
  problems: unknown,
  run: ({ application }) => applicationView(application),
})

const update = command({
  name: 'applications.update',
  method: 'PATCH',
  path: '/oauth/applications/:application',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Change one of the caller’s own OAuth applications.',
  description:
    'What is left out stays. Scopes that are taken away can no longer be asked for, and what users granted before is renewed without them; access tokens that hold them already keep them until they expire or are revoked. The type cannot change.',
  body: Type.Partial(Type.Object({ ...details, type: ApplicationTypeView })),
  reply: { 200: ApplicationView },
  problems: { ...unknown, ...detailProblems, 'application.type_fixed': 400, 'application.nothing_given': 400 },
  run: async ({ tx, actor, application, body, services: { config }, now }) => {
    const around = { mediaUrl: config.media.url, now }
    return applicationView(await changeApplication(tx, actor, application.clientId, body, around))
  },
})

const remove = command({
  name: 'applications.delete',
  method: 'DELETE',
  path: '/oauth/applications/:application',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Delete one of the caller’s own OAuth applications.',
  description: 'With it end its pending requests, codes, refresh tokens and access tokens, at once.',
  reply: { 204: nullable(Type.String()) },
  problems: unknown,
  run: async ({ tx, actor, application, now }) => {
    await deleteApplication(tx, actor, application.clientId, now)
    return new Answer(204)
  },
})

const rotate = command({
  name: 'applications.rotateSecret',
  returnsSecret: true,
  method: 'POST',
  path: '/oauth/applications/:application/secret',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Give a confidential application a new secret.',
  description: 'The old one is refused from then on. What users have granted stays.',
  reply: { 200: NewSecretView },
  problems: { ...unknown, 'application.public': 409 },
  run: async ({ tx, actor, application: { clientId }, now }) => {
    const clientSecret = newSecret()
    await rotateSecret(tx, actor, clientId, clientSecret, now)
    return { clientId, clientSecret }
  },
})

export const applicationsOperations = [list, create, read, update, remove, rotate]
