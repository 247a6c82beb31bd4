import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { BodyLimits } from '../../core/json.ts'
import { type CommandOperation, type Operation, textTypes } from '../../core/operation.ts'
import { Problem } from '../../core/problem.ts'
import type { SentUpload, UploadedFile } from '../../core/uploads.ts'
import { liftArrivalBound } from './arrival-timeouts.ts'
import { isSmallJson, type Places, senderOf } from './fair-shares.ts'
import type { Bodies } from './held-bodies.ts'
import { cleanBody, decodeBody } from './json-body.ts'
import type { JsonReading } from './json-reading.ts'
import { alikeFinder, mayHaveAlike } from './misspelt-members.ts'
import { multipartType, readMultipart } from './multipart.ts'
import type { Asking } from './request.ts'
import { AnnouncedFile } from './upload-file.ts'
import { AnnouncedUpload } from './upload-form.ts'
import { bodyCheck, previewCheck, valuesOfTexts } from './validate.ts'

/** Turns the bytes of a request into a checked body. (D9) */

const maxBodyBytes = 1024 * 1024
/** Forms hold a few parameters. */
const maxFormBytes = 32 * 1024
/** For a body with a file, or for the content of a file. */
const maxUploadBytes = 4 * 1024 * 1024
/** For requests of other servers. (S10) */
const maxRawBytes = 16 * 1024
/** For a body without members; a larger one is not read at all. */
const maxUnreadBytes = 1024

/** More values and levels than any real document has. */
const verbatimLimits: BodyLimits = { maxDepth: 64, maxNodes: 200_000, keepsTexts: true }

/** A body as it was received. */
export interface RawBody {
  readonly type: string
  readonly bytes: Buffer<ArrayBuffer>
  /** The content type of a form with a file, which contains the boundary of the parts. */
  readonly parts?: string
}

const formType = 'application/x-www-form-urlencoded'
const jsonType = 'application/json'

/** Whether a body collected in memory holds a file, so that it takes an upload's place. (D81) */
function isUpload({ bodyType }: CommandOperation): boolean {
  return bodyType === 'multipart' || bodyType === 'text'
}

/** Whether bodies are written to disk as they arrive, and read only as far as needed. */
export function goesToDisk({ bodyType }: CommandOperation): boolean {
  return bodyType === 'upload' || bodyType === 'file'
}

/** Maximum bytes of a request's body. */
function bodyLimitOf(operation: CommandOperation): number {
  if (goesToDisk(operation)) return Number.POSITIVE_INFINITY
  if (operation.bodyType === 'raw') return operation.maxBytes ?? maxRawBytes
  if (operation.bodyType === 'text') return operation.maxBytes ?? maxBodyBytes
  if (operation.bodyType === 'form' || operation.parameters !== undefined) return maxFormBytes
  if (operation.bodyType === 'multipart') return maxUploadBytes
  return operation.body === undefined ? maxUnreadBytes : (operation.maxBytes ?? maxBodyBytes)
}

/** Whether the whole input is in the address. */
function isBodyless({ body, bodyType, parameters }: CommandOperation): boolean {
  return body === undefined && bodyType === undefined && parameters === undefined
}

/** Only collects the bytes; an operation parses them once the caller is known to be allowed to act. */
export function collectBodies(app: FastifyInstance, bodies: Bodies, places: Places): void {
  async function collect(request: FastifyRequest, payload: IncomingMessage, operation: CommandOperation) {
    const { account, network } = senderOf(request.state.actor.guid, request.ip)
    // Other servers bring data for many users and may share an address with any caller, so they have no holder.
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
    const type = request.headers['content-type'] ?? ''
    const mayBeForm = operation.bodyType === 'jsonOrUpload' && mediaTypeOf(type) === multipartType
    if (operation.bodyType === 'upload' || mayBeForm) return announced(request, payload)
    if (operation.bodyType === 'file') return announcedFile(request, payload)
    if (operation.bodyType === 'text') requireType(type, textTypes)
    const { bytes, release } = await collect(request, payload, operation)
    request.state.releaseBody = release
    const media = mediaTypeOf(type)
    return (media === multipartType ? { type: media, bytes, parts: type } : { type: media, bytes }) satisfies RawBody
  })
}

/** Reads nothing of an upload yet: its purpose may be in the query, and lead to a refusal. (M4) */
function announced(request: FastifyRequest, payload: IncomingMessage): AnnouncedUpload {
  const type = request.headers['content-type'] ?? ''
  requireType(type, [multipartType])
  liftArrivalBound(payload)
  return new AnnouncedUpload(payload, type)
}

/** Reads nothing here either: a caller without permission is refused before the file arrives. */
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

/** The framework refuses an invalid media type, but operations with a raw body ignore the type. (S10) */
export function passAnyType(operation: Operation | undefined, { headers }: IncomingMessage): void {
  if (operation?.kind === 'command' && operation.bodyType === 'raw')
    headers['content-type'] = 'application/octet-stream'
}

/** The bytes for an operation that reads them itself. */
export function bytesOf(operation: Operation, body: unknown): Uint8Array {
  if (operation.kind !== 'command' || (operation.bodyType !== 'raw' && operation.bodyType !== 'text')) return noBytes
  return ((body ?? noBody) as RawBody).bytes
}

/** A parsed body, and the file sent with it. */
export interface ReadBody {
  readonly body: unknown
  readonly file: UploadedFile | null
  /** The file of an upload. */
  readonly upload?: SentUpload | null
  /** GUID of the tournament that an upload was found to belong to. */
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

/**
 * For a command whose body has no members: the body is ignored, except `dryRun`, which is refused because the command
 * has no preview. (D60)
 */
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
 * For a body that an operation reads itself: cleaned and checked like any other.
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

/** The check for a body whose strings are clean already. */
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

type ReadParts = (texts: Readonly<Record<string, string>>, isWhole: boolean) => Record<string, unknown>

/** Reads the members of an upload's body from their form parts; none is missed before the form is whole. */
export function partsReader(operation: CommandOperation): ReadParts {
  const schema = operation.body
  if (schema === undefined) return () => ({})
  const whole = membersCheck(operation, schema)
  const needs: readonly string[] = (schema as Partial<TObject>).required ?? []
  const partial = needs.length === 0 ? whole : membersCheck(operation, Type.Partial(schema as TObject))
  return (texts, isWhole) => (isWhole ? whole : partial)(valuesOfTexts(schema, texts)) as Record<string, unknown>
}

const noBytes = Buffer.alloc(0)
const noBody: RawBody = { type: '', bytes: noBytes }

const noParameters = () => new URLSearchParams()

/**
 * Reads the input of an operation with `parameters`: the query of a GET, the form of any other method, neither changed
 * nor checked.
 */
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
