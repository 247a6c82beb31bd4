import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../core/operation.ts'
import type { Database } from '../db/database.ts'
import { admission, type Gate, isMe } from './admission.ts'
import { type Rendered, render, send } from './answer.ts'
import { bodyReader, parametersReader } from './body.ts'
import { lazily } from './lazily.ts'
import { headersCheck, queryCheck } from './validate.ts'

/** The whole life of a request, in the fixed order. (D1) */

export interface Kernel extends Gate {
  readonly database: Database
  readonly services: object
  readonly clients: unknown
  readonly secureCookies: boolean
  readonly problemOf: (error: unknown) => unknown
}

export interface Life {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** Whatever the schema of a status does not name is dropped. */
function serializer({ reply }: Operation): (value: unknown, status: number) => string {
  const stringifiers = new Map(
    Object.entries(reply).map(([status, schema]) => [Number(status), lazily(() => fastJson(schema as Schema))]),
  )
  return (value, status) => {
    const stringify = stringifiers.get(status)
    if (stringify === undefined) throw new Error(`no schema is declared for an answer with status ${status}`)
    return stringify()(value)
  }
}

export function lifeOf(operation: Operation, kernel: Kernel): Life {
  const admit = admission(operation, kernel)
  const readQuery = operation.query === undefined ? () => ({}) : queryCheck(operation.query)
  const readHeaders = operation.headers === undefined ? () => ({}) : headersCheck(operation.headers)
  const readParameters = parametersReader(operation)
  const serialize = serializer(operation)
  const readBody = operation.kind === 'command' ? bodyReader(operation) : () => undefined

  return {
    onRequest: admit,

    async handler(request, reply) {
      try {
        return await handle(request, reply)
      } finally {
        request.state.releaseBody()
      }
    },
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { state } = request
    const input = {
      ...state.records,
      actor: state.actor,
      query: readQuery(request.query),
      headers: readHeaders(request.headers),
      isMe: isMe(request.params),
      now: new Date(),
      services: kernel.services,
      request: {
        address: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
        cookies: request.cookies,
        parameters: readParameters(request),
      },
    }
    const tags: string[] = []
    const rendered = (result: unknown) => render(operation, result, serialize)
    const result =
      operation.kind === 'query' ? await read(input, tags, rendered) : await perform(input, request, rendered)
    return send(operation, request, reply, result, kernel, tags)
  }

  async function read(input: object, tags: string[], rendered: (result: unknown) => Rendered): Promise<Rendered> {
    const { db, clients } = kernel
    const prepared = await operation.prepare?.({ ...input, db, clients } as never)
    const depends = (...more: string[]) => tags.push(...more)
    return rendered(await operation.run({ ...input, prepared, db, depends } as never))
  }

  async function perform(
    input: object,
    request: FastifyRequest,
    rendered: (result: unknown) => Rendered,
  ): Promise<Rendered> {
    const body = readBody(request.body)
    const withBody = { ...input, body }
    const prepared = await operation.prepare?.({ ...withBody, db: kernel.db, clients: kernel.clients } as never)
    try {
      return await kernel.database.transaction(async (tx) =>
        rendered(await operation.run({ ...withBody, prepared, tx } as never)),
      )
    } catch (error) {
      throw kernel.problemOf(error)
    }
  }
}
