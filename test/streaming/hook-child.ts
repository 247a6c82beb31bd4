import { startHookService } from './hook-service.ts'

/**
 * A hook service as a process of its own, for a network of its own: one stream key belongs to one user, and their stream may be watched.
 * Its arguments are the server's GUID, its secret, the key and the user's GUID; it prints its address, and goes on until it is ended.
 */
const [server = '', secret = '', key = '', userGuid = ''] = process.argv.slice(2)
const service = await startHookService({
  ...{ kind: 'nginx-rtmp', server, secret },
  judge(question) {
    const isTheirs = question.action === 'publish' ? question.key === key : true
    return isTheirs ? { allowed: true, userGuid, lifetimeMs: 0 } : { allowed: false, reason: 'No.' }
  },
})
process.stdout.write(`${service.baseUrl}\n`)
