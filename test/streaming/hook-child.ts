import { startHookService } from './hook-service.ts'

/**
 * A hook service in a process of its own, for a separate network: one stream key belongs to one user, and their stream
 * may be watched. The arguments are the server's GUID, its secret, the key and the user's GUID. It prints its address,
 * and runs until it is killed.
 */
const [server = '', secret = '', key = '', userGuid = ''] = process.argv.slice(2)
const service = await startHookService({
  kind: 'nginx-rtmp',
  server,
  secret,
  judge(question) {
    const isTheirs = question.action === 'publish' ? question.key === key : true
    return isTheirs ? { allowed: true, userGuid, lifetimeMs: 0 } : { allowed: false, reason: 'No.' }
  },
})
process.stdout.write(`${service.baseUrl}\n`)
