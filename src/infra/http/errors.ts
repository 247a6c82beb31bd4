import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../core/problem.ts'

/** Errors in the form that the caller asked for. (D10) */

type Form = 'text' | 'json' | 'problem'

/** Which of the three forms `Accept` prefers; plain text where it does not say. */
export function negotiate(accept: string | undefined): Form {
  if (accept === undefined || accept === '*/*') return 'text'
  let best: { form: Form; quality: number } = { form: 'text', quality: 0 }
  for (const range of accept.split(',', 16)) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const form = formOf(type)
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    if (form !== undefined && quality > best.quality) best = { form, quality }
  }
  return best.form
}

function formOf(type: string | undefined): Form | undefined {
  if (type === 'application/json') return 'json'
  if (type === 'application/problem+json') return 'problem'
  if (type === 'text/plain' || type === 'text/*' || type === '*/*') return 'text'
  return undefined
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  status: number,
): FastifyReply {
  for (const [name, value] of Object.entries(problem.headers)) reply.header(name, value)
  return sendError(request, reply, status, problem.code, problem.message, problem.data)
}

/** A 500 that shows nothing of what went wrong; the log has it under the request's id. */
export function sendInternalError(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = `Something went wrong on our side. If it happens again, report it with the request id ${request.id}.`
  return sendError(request, reply, 500, 'service.failed', message)
}

/** What every error carries beside its body. (D10, D11) */
export function errorHeaders(code: string): Readonly<Record<string, string>> {
  return { 'problem-code': code, 'cache-control': 'private, no-store', vary: 'Authorization, Accept' }
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): FastifyReply {
  reply.code(status).headers(errorHeaders(code))
  if (data !== undefined) return sendJson(reply, 'application/json', { message, ...data })
  switch (negotiate(request.headers.accept)) {
    case 'json':
      return sendJson(reply, 'application/json', { error: message })
    case 'problem':
      return sendJson(reply, 'application/problem+json', {
        type: 'about:blank',
        title: STATUS_CODES[status],
        status,
        detail: message,
        code,
        requestId: request.id,
      })
    default:
      return reply.header('content-type', 'text/plain; charset=utf-8').serializer(String).send(message)
  }
}

function sendJson(reply: FastifyReply, type: string, body: unknown): FastifyReply {
  // Already text: the operation's own schema describes its success alone.
  return reply.header('content-type', `${type}; charset=utf-8`).serializer(String).send(JSON.stringify(body))
}
