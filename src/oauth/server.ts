import type { Operation } from '../core/operation.ts'
import type { Parameters } from '../infra/http/admission.ts'
import { resolveApplication } from './applications/resolve.ts'
import { applicationsOperations } from './applications/routes.ts'
import { authorizeOperations } from './authorize/routes.ts'
import { deviceOperations } from './device/routes.ts'
import { oauthEvents } from './events.ts'
import { oauthJobs } from './jobs.ts'
import { oauthMediaFields } from './media.ts'
import { metadataOperations } from './metadata.ts'
import { oauthPersonalData } from './store/personal-data.ts'
import { tokenOperations } from './token/routes.ts'

/** The authorization server as a part of the composition root, like the slices. */

const operations: readonly Operation[] = [
  ...metadataOperations,
  ...authorizeOperations,
  ...tokenOperations,
  ...deviceOperations,
  ...applicationsOperations,
]

const parameters: Parameters = {
  application: {
    description: 'Client id of an OAuth application of the caller.',
    resolve: resolveApplication,
    problems: { 'application.unknown': 'missing', 'role.missing': 'forbidden' },
  },
}

export const authorizationServer = {
  name: 'oauth',
  uses: [],
  tags: { oauth: 'Letting applications act for users. (OAuth 2.0)', applications: 'The caller’s own applications.' },
  operations,
  parameters,
  events: oauthEvents,
  jobs: oauthJobs,
  personalData: oauthPersonalData,
  mediaFields: oauthMediaFields,
}
