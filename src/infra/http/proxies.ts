import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** The address of the caller behind the trusted proxies. The framework uses the same library. */
export function callerAddress(request: IncomingMessage, trustedProxies: readonly string[]): string {
  if (trustedProxies.length === 0) return request.socket.remoteAddress ?? ''
  return proxyAddress(request, [...trustedProxies])
}
