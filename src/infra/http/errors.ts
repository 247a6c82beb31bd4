import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../core/html.ts'
import type { Problem, ProblemKind } from '../../core/problem.ts'
import { STATUS_CODES } from '../node-http.ts'
import { page } from './html-page.ts'

/** Sends errors in the form that the caller asked for. (D10) */

type Form = 'text' | 'json' | 'problem'

/** The form that `Accept` prefers of the three; plain text where it names none. */
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
  return sendError(request, reply, status, problem)
}

/** A 500 without details of the failure; the log has them under the request's id. */
export function sendInternalError(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = `Something went wrong on our side. If it happens again, report it with the request id ${request.id}.`
  return sendError(request, reply, 500, { code: 'service.failed', message })
}

/** The headers of every error. (D10, D11) */
export function errorHeaders(code: string): Readonly<Record<string, string>> {
  return { 'problem-code': code, 'cache-control': 'private, no-store', vary: 'Authorization, Accept' }
}

/** The parts of a problem that are sent; an internal failure has neither kind nor data. */
type Told = Pick<Problem, 'code' | 'message'> & Partial<Pick<Problem, 'kind' | 'data'>>

function sendError(request: FastifyRequest, reply: FastifyReply, status: number, told: Told): FastifyReply {
  const { code, message, data } = told
  reply.code(status).headers(errorHeaders(code))
  switch (request.state.operation?.errors) {
    case 'oauth':
      return sendJson(reply.headers(oauthHeaders), 'application/json', oauthError(told))
    case 'page':
      return sendPage(reply, status, message)
  }
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

/** Headers of OAuth answers, which must not be cached. (RFC 6749 §5.1, §5.2) */
export const oauthHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' }

/**
 * The body of an OAuth error; where its kind does not determine the `error`, a problem gives it in its data. (RFC 6749
 * §5.2)
 */
export function oauthError({ kind, message, data }: Told): { error: string; error_description: string } {
  const { error = kind === undefined ? 'server_error' : (errorOfKind[kind] ?? 'invalid_request') } = data ?? {}
  // Descriptions may hold neither double quotes nor backslashes, and only ASCII.
  const description = message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]+/g, '?')
  return { error: String(error), error_description: description }
}

const errorOfKind: Partial<Record<ProblemKind, string>> = {
  limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
}

function sendPage(reply: FastifyReply, status: number, message: string): FastifyReply {
  const title = status >= 500 ? 'Something went wrong' : 'This did not work'
  const { body, headers, contentType } = page({ title, main: html`<p>${message}</p>`, status })
  return reply.headers(headers).header('content-type', contentType).serializer(String).send(body)
}

function sendJson(reply: FastifyReply, type: string, body: unknown): FastifyReply {
  // Already serialised: the operation's own schema describes only its success.
  return reply.header('content-type', `${type}; charset=utf-8`).serializer(String).send(JSON.stringify(body))
}
