import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../core/operation.ts'
import type { Database } from '../db/database.ts'
import type { Memory } from '../events/memory.ts'
import { admission, type Gate } from './admission.ts'
import { isMemorable, type Output, type Ready, sendReady, sendResult } from './answer.ts'
import { bodyReader } from './body.ts'
import { headersCheck, queryCheck } from './validate.ts'

/** The whole life of a request, in the fixed order. (D1) */

export interface Kernel extends Gate {
  readonly database: Database
  readonly memory: Memory<Ready>
  readonly services: object
  readonly clients: unknown
  readonly secureCookies: boolean
  readonly problemOf: (error: unknown) => unknown
}

export interface Life {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

export function lifeOf(operation: Operation, kernel: Kernel): Life {
  const admit = admission(operation, kernel)
  const readQuery = operation.query === undefined ? () => ({}) : queryCheck(operation.query)
  const readHeaders = operation.headers === undefined ? () => ({}) : headersCheck(operation.headers)
  const readBody = operation.kind === 'command' ? bodyReader(operation) : () => undefined

  return {
    async onRequest(request, reply) {
      if (operation.kind === 'query' && operation.remember) {
        request.state.bare = request.headers.authorization === undefined
        if (isMemorable(operation, request)) {
          const remembered = await recall(request, reply)
          if (remembered !== undefined) return remembered
        }
      }
      await admit(request, reply)
      return undefined
    },

    async handler(request, reply) {
      const { state } = request
      const input = {
        ...state.records,
        actor: state.actor,
        query: readQuery(request.query),
        headers: readHeaders(request.headers),
        now: new Date(),
        services: kernel.services,
      }
      const tags: string[] = []
      const result = operation.kind === 'query' ? await read(input, tags) : await perform(input, request)
      const output: Output = {
        serialize: (value) =>
          reply.serializeInput(value as Record<string, unknown>, String(reply.statusCode)) as string,
        memory: kernel.memory,
        secureCookies: kernel.secureCookies,
      }
      return sendResult(operation, request, reply, result, output, tags)
    },
  }

  async function recall(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    await kernel.head.catchUp()
    const remembered = kernel.memory.get(request.url)
    if (remembered === undefined) return undefined
    reply.headers(await kernel.limits.count('read', request.ip))
    return sendReady(request, reply, remembered)
  }

  async function read(input: object, tags: string[]): Promise<unknown> {
    const { db, clients } = kernel
    const prepared = await operation.prepare?.({ ...input, body: undefined, db, clients } as never)
    return operation.run({ ...input, prepared, db, depends: (...more: string[]) => tags.push(...more) } as never)
  }

  async function perform(input: object, request: FastifyRequest): Promise<unknown> {
    if (operation.kind !== 'command') return undefined
    const body = readBody(request.body)
    const facts = { address: request.ip, userAgent: request.headers['user-agent'] ?? null, cookies: request.cookies }
    const withBody = { ...input, body, request: facts }
    const prepared = await operation.prepare?.({ ...withBody, db: kernel.db, clients: kernel.clients } as never)
    try {
      return await kernel.database.transaction(async (tx) => operation.run({ ...withBody, prepared, tx } as never))
    } catch (error) {
      throw kernel.problemOf(error)
    }
  }
}
