import { query } from '../../../core/operation.ts'
import { worstFirst } from '../../../infra/health/checks.ts'
import { platformOverseers } from '../platforms/policy.ts'
import { ServiceHealth, serviceHealthView } from './views.ts'

const health = query({
  name: 'admin.readHealth',
  method: 'GET',
  path: '/admin/health',
  scope: 'rest:read',
  allow: platformOverseers,
  summary: 'Whether the service is well: what is wrong and what to do, queues, storage, versions, limits.',
  description:
    'What `doctor` on the command line, `/readyz` and the metrics know. Other services are asked once a minute at most; everything else is read anew. Numbers of a process are those of the one that answers.',
  reply: { 200: ServiceHealth },
  prepare: ({ clients }) => clients.outside(),
  run: async ({ services: { health }, prepared: outside, now }) => {
    const report = await health.read(now)
    return serviceHealthView(report, worstFirst([...report.checks, ...outside]), health.versions, now)
  },
})

export const serviceHealthOperations = [health]
