import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { BodyLimits } from '../../core/json.ts'
import {
  type CommandOperation,
  type Operation,
  type StoredUpload,
  textTypes,
  type UploadedFile,
} from '../../core/operation.ts'
import { Problem } from '../../core/problem.ts'
import { alikeFinder, mayHaveAlike } from './alike.ts'
import { liftArrivalBound } from './arrival.ts'
import type { Bodies } from './bodies.ts'
import { cleanBody, decodeBody } from './json-body.ts'
import type { JsonReading } from './json-reading.ts'
import { multipartType, readMultipart } from './multipart.ts'
import type { Asking } from './request.ts'
import { isSmallJson, type Places, senderOf } from './shares.ts'
import { AnnouncedFile } from './upload-file.ts'
import { AnnouncedUpload } from './upload-form.ts'
import { bodyCheck, previewCheck, valuesOfTexts } from './validate.ts'

/** From bytes to a checked body. (D9) */

const maxBodyBytes = 1024 * 1024
/** Forms hold a few parameters. */
const maxFormBytes = 32 * 1024
/** With a file, or what a file holds. */
const maxUploadBytes = 4 * 1024 * 1024
/** What other servers send. (S10) */
const maxRawBytes = 16 * 1024
/** Of a body without members, where one that is larger is not read at all. */
const maxUnreadBytes = 1024

/** As many values, in as many levels, as somebody could mean. */
const verbatimLimits: BodyLimits = { maxDepth: 64, maxNodes: 200_000, keepsTexts: true }

/** A body as it came. */
export interface RawBody {
  readonly type: string
  readonly bytes: Buffer
  /** Of a form with a file: its type, with what stands between its parts. */
  readonly parts?: string
}

const formType = 'application/x-www-form-urlencoded'
const jsonType = 'application/json'

/** Of those whose bodies are collected in memory, which hold a file: it takes a place among uploads. (D81) */
function isUpload({ bodyType }: CommandOperation): boolean {
  return bodyType === 'multipart' || bodyType === 'text'
}

/** Whether its bodies are written to disk as they come, and read only as far as they are wanted. */
export function goesToDisk({ bodyType }: CommandOperation): boolean {
  return bodyType === 'upload' || bodyType === 'file'
}

/** Bytes that the body of a request may have. */
function bodyLimitOf(operation: CommandOperation): number {
  if (goesToDisk(operation)) return Number.POSITIVE_INFINITY
  if (operation.bodyType === 'raw') return operation.mostBytes ?? maxRawBytes
  if (operation.bodyType === 'text') return operation.mostBytes ?? maxBodyBytes
  if (operation.bodyType === 'form' || operation.parameters !== undefined) return maxFormBytes
  if (operation.bodyType === 'multipart') return maxUploadBytes
  return operation.body === undefined ? maxUnreadBytes : (operation.mostBytes ?? maxBodyBytes)
}

/** Whether all that may be said is in the address. */
function isBodyless({ body, bodyType, parameters }: CommandOperation): boolean {
  return body === undefined && bodyType === undefined && parameters === undefined
}

/** Bytes are only collected here; an operation reads them once the caller is known to be allowed to act. */
export function collectBodies(app: FastifyInstance, bodies: Bodies, places: Places): void {
  async function collect(request: FastifyRequest, payload: IncomingMessage, operation: CommandOperation) {
    const { account, network } = senderOf(request.state.actor.guid, request.ip)
    // Servers that prove themselves bring what happens to everybody, and may stand at one address with anybody.
    const holder = operation.ownCredentials ? null : (account ?? network)
    const limit = bodyLimitOf(operation)
    if (!isUpload(operation) || isSmallJson(payload)) return bodies.collect(payload, limit, holder)
    const { signal, leave } = places.take(payload, { account, network })
    return bodies.collect(payload, limit, holder, signal).finally(leave)
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { operation } = request.routeOptions.config
    if (operation?.kind !== 'command' || (isBodyless(operation) && !isSmallJson(payload, maxUnreadBytes)))
      return undefined
    if (operation.bodyType === 'upload') return announced(request, payload)
    if (operation.bodyType === 'file') return announcedFile(request, payload)
    if (operation.bodyType === 'text') requireType(request.headers['content-type'] ?? '', textTypes)
    const { bytes, release } = await collect(request, payload, operation)
    request.state.releaseBody = release
    const parts = request.headers['content-type'] ?? ''
    const type = mediaTypeOf(parts)
    return (type === multipartType ? { type, bytes, parts } : { type, bytes }) satisfies RawBody
  })
}

/** Of an upload nothing is read here: what it is for may stand in the query, and refuse it. (M4) */
function announced(request: FastifyRequest, payload: IncomingMessage): AnnouncedUpload {
  const type = request.headers['content-type'] ?? ''
  requireType(type, [multipartType])
  liftArrivalBound(payload)
  return new AnnouncedUpload(payload, type)
}

/** Nothing is read here either: whoever may not send it is told before it has come. */
function announcedFile(request: FastifyRequest, payload: IncomingMessage): AnnouncedFile {
  requireType(request.headers['content-type'] ?? '', [jsonType])
  if (!isSmallJson(payload)) liftArrivalBound(payload)
  return new AnnouncedFile(payload)
}

function requireType(given: string, wanted: readonly string[]): void {
  if (wanted.includes(mediaTypeOf(given))) return
  throw unsupported(wanted)
}

function mediaTypeOf(given: string): string {
  return given.split(';')[0]?.trim().toLowerCase() ?? ''
}

function unsupported(wanted: readonly string[]): Problem {
  const message = `The body must be sent as ${wanted.join(' or ')}.`
  return new Problem('unsupported_type', 'request.unsupported_type', message)
}

/** The framework refuses what it cannot read as a media type, which is nothing that whoever takes bytes looks at. (S10) */
export function passAnyType(operation: Operation | undefined, { headers }: IncomingMessage): void {
  if (operation?.kind === 'command' && operation.bodyType === 'raw')
    headers['content-type'] = 'application/octet-stream'
}

/** The bytes of an operation that reads them itself. */
export function bytesOf(operation: Operation, body: unknown): Uint8Array {
  if (operation.kind !== 'command' || (operation.bodyType !== 'raw' && operation.bodyType !== 'text')) return noBytes
  return ((body ?? noBody) as RawBody).bytes
}

/** What was sent, and the file that came beside it. */
export interface ReadBody {
  readonly body: unknown
  readonly file: UploadedFile | null
  /** Of an upload. */
  readonly upload?: StoredUpload | null
  /** GUID of the tournament that an upload turned out to be for. */
  readonly tournament?: string | null
}

const nothing: ReadBody = { body: undefined, file: null }

export function bodyReader(
  operation: CommandOperation,
  reading: JsonReading,
): (raw: unknown) => ReadBody | Promise<ReadBody> {
  const schema = operation.body
  if (schema === undefined) return bodylessReader(operation)
  const form = operation.bodyType === 'form'
  const checked = membersCheck(operation, schema)
  const checkClean = cleanCheck(operation, schema)
  return (raw) => {
    const received = (raw ?? noBody) as RawBody
    if (received.bytes.length === 0 && operation.bodyOptional) return nothing
    if (operation.bodyType === 'multipart' && received.parts !== undefined) {
      return readMultipart(received.parts, received.bytes).then(({ fields, file }) => ({
        body: checked(valuesOfTexts(schema, fields)),
        file,
      }))
    }
    if (form) return { body: checked(Object.fromEntries(new URLSearchParams(textOf(received, formType)))), file: null }
    requireBodyType(received, jsonType)
    const read = reading.read(received.bytes, limitsOf(operation))
    if (read instanceof Promise) return read.then((value) => ({ body: checkClean(value), file: null }))
    return { body: checkClean(read), file: null }
  }
}

/** Of a command whose body has no members: what was sent is ignored, but for a preview that there is none of. (D60) */
function bodylessReader(operation: CommandOperation): (raw: unknown) => ReadBody {
  if (!isBodyless(operation)) return () => nothing
  const refusePreview = previewCheck(undefined, 'body', operation.query)
  return (raw) => {
    const { type, bytes } = (raw ?? noBody) as RawBody
    if (type === jsonType && bytes.length > 0) refusePreview(parsedOrNothing(bytes))
    return nothing
  }
}

function parsedOrNothing(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/**
 * Of a body that an operation reads itself: cleaned and checked as any other is.
 * @throws Problem `request.invalid`
 */
export function membersReader<S extends TSchema>(schema: S): (parsed: unknown) => Static<S> {
  return membersCheck(noOperation, schema) as (parsed: unknown) => Static<S>
}

type Checked = Pick<CommandOperation, 'body' | 'reply' | 'strict' | 'verbatim' | 'bodyType'> &
  Partial<Pick<CommandOperation, 'query'>>

const noOperation: Checked = { reply: {} }

function membersCheck(operation: Checked, schema: TSchema): (parsed: unknown) => unknown {
  const check = cleanCheck(operation, schema)
  return (parsed) => check(cleanBody(parsed, limitsOf(operation)))
}

function limitsOf({ verbatim }: Checked): BodyLimits | undefined {
  return verbatim ? verbatimLimits : undefined
}

/** Of a body whose strings are clean. */
function cleanCheck(operation: Checked, schema: TSchema): (clean: unknown) => unknown {
  const { strict, query } = operation
  const findAlike = mayHaveAlike(operation) ? alikeFinder(schema, operation.reply) : undefined
  const check = bodyCheck(schema, strict === true, findAlike)
  const refusePreview = previewCheck(schema, 'body', query)
  return (clean) => {
    refusePreview(clean)
    return check(clean)
  }
}

/** Members of an upload's body, from the parts that hold them. */
export function partsReader(
  operation: CommandOperation,
): (texts: Readonly<Record<string, string>>) => Record<string, unknown> {
  const schema = operation.body
  if (schema === undefined) return () => ({})
  const checked = membersCheck(operation, schema)
  return (texts) => checked(valuesOfTexts(schema, texts)) as Record<string, unknown>
}

const noBytes = Buffer.alloc(0)
const noBody: RawBody = { type: '', bytes: noBytes }

const noParameters = () => new URLSearchParams()

/** What an operation with `parameters` reads: the query of a GET, the form of any other method, neither changed nor judged. */
export function parametersReader(operation: Operation): (asking: Asking) => URLSearchParams {
  if (operation.parameters === undefined) return noParameters
  if (operation.method === 'GET') return ({ url }) => new URLSearchParams(url.split('?').slice(1).join('?'))
  return ({ body }) => new URLSearchParams(textOf((body ?? noBody) as RawBody, formType))
}

function textOf(received: RawBody, wanted: string): string {
  requireBodyType(received, wanted)
  return decodeBody(received.bytes)
}

function requireBodyType({ type, bytes }: RawBody, wanted: string): void {
  if (type !== wanted && !(bytes.length === 0 && type === '')) throw unsupported([wanted])
}
