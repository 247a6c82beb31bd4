import { anyone } from '../../../core/actor.ts'
import { query } from '../../../core/operation.ts'
import { PackageKeysView } from './views.ts'

const keys = query({
  name: 'packages.keys',
  method: 'GET',
  path: '/.well-known/package-keys.json',
  root: true,
  scope: 'public',
  allow: anyone,
  summary: 'The public keys of all packages that this service has ever signed, the newest first.',
  description:
    'Packages are signed by the `current` key alone. What a `retired` key has signed is still valid; what a `revoked` one has signed is not. (RFC 7517, RFC 8037)',
  reply: { 200: PackageKeysView },
  run: async ({ services, now }) => ({ keys: [...(await services.keys.packages.list(now))] }),
})

export const packagesOperations = [keys]
