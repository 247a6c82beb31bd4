import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSignedIn } from '../../core/actor.ts'
import { type Operation, Refusal, takesKey } from '../../core/operation.ts'
import { workAtFirst } from '../clock/store.ts'
import type { Database, Db, Tx, ViewLane } from '../db/database.ts'
import { readShown, type Shown } from '../delay/store.ts'
import { checkRightsAtCommit, failedForRights, haveRightsChanged, type Judged } from '../events/rights.ts'
import type { Refused } from '../idempotency/once.ts'
import { readKey, sendingOf } from '../idempotency/sending.ts'
import { type Admission, admission, type Gate, isMe } from './admission.ts'
import { type Rendered, render, send } from './answer.ts'
import { bodyReader, bytesOf, parametersReader, partsReader, type ReadBody } from './body.ts'
import { type Counters, countersBy } from './counters.ts'
import { Collected, type Dependencies } from './dependencies.ts'
import { contentOf, digestOfFile, ResultSaver } from './idempotent-results.ts'
import type { JsonReading } from './json-reading.ts'
import { delayedBy, type HeldRead, type HeldReading, heldReadOf, readInLane, viewerIn } from './lanes.ts'
import { queryReader } from './query-reader.ts'
import { receivingOf } from './receiving.ts'
import { clockTagsOf, dependenciesOf, instantFor, placeOf, type RunsDue, runDueIn } from './rehearsals.ts'
import { type Asking, newState, type RequestState } from './request.ts'
import { replySerializer } from './serializer.ts'
import { answerShown, shownByOf } from './shown-answers.ts'
import { timed } from './timing.ts'
import { isForOutsiders, judgedAsShown, outsideOf, refusalShown, runForOutsider } from './trial.ts'
import type { Uploads } from './upload.ts'
import { AnnouncedUpload } from './upload-form.ts'
import { headersCheck } from './validate.ts'

/** The whole life of a request, in the fixed order. (D1) */

export interface Kernel extends Gate, RunsDue {
  readonly database: Database
  readonly services: object
  readonly clients: unknown
  readonly secureCookies: boolean
  readonly problemOf: (error: unknown) => unknown
  readonly uploads: Uploads
  readonly reading: JsonReading
  readonly operations: readonly Operation[]
  readonly lifeOf: (operation: Operation) => Life
}

export interface Life extends Pick<Admission, 'count' | 'identify' | 'judge'> {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** Runs a read for a caller whose rights were checked, with `db` as the view of the data. */
  readonly read: (asking: Asking, db: Db, real: Date) => Promise<Reading>
  /**
   * Reads what viewers may see now, as of the time of the delayed stream. (RT40)
   * @throws Problem as for an anonymous caller
   */
  readonly readDelayed: (asking: Asking, real: Date, lane: ViewLane) => Promise<DelayedReading>
  /** @see readInLane */
  readonly readHeld: (reading: HeldRead, real: Date) => Promise<HeldReading>
  /**
   * Carries out a command of a caller whose rights were checked.
   * @param judgeAgain repeats the check, in case the rights were reduced meanwhile
   */
  readonly perform: (asking: Asking, real: Date, judgeAgain: () => Promise<void>) => Promise<Rendered>
  /**
   * Refuses a command of a caller who was not let through; saves the refusal under the caller's key, if there is one.
   * @throws the refusal, where it is not saved
   */
  readonly refuse: (asking: Asking, error: unknown) => Promise<Rendered>
}

/** An answer, and what it depends on. */
export type Reading = Rendered & Dependencies

export interface DelayedReading extends Rendered, Dependencies {
  readonly shown: Shown
}

/** null for an anonymous caller, who has no rights to lose. */
function judgedBy({ actor, tournament, judgedAt }: RequestState): Judged | null {
  if (!isSignedIn(actor)) return null
  return { user: actor.guid, client: actor.token?.clientId ?? null, tournament, since: judgedAt }
}

function toldOf(outcome: Rendered | Refused): Rendered {
  if ('refused' in outcome) throw outcome.refused
  return outcome
}

export function lifeOf(operation: Operation, kernel: Kernel): Life {
  const { admit, admitAgain, count, identify, judge } = admission(operation, kernel)
  const around = { ...kernel, identify, judge }
  const shownBy = isForOutsiders(operation, kernel.parameters) ? shownByOf(operation, kernel.operations) : null
  const readQuery = queryReader(operation)
  const readHeaders = operation.headers === undefined ? () => ({}) : headersCheck(operation.headers)
  const readParameters = parametersReader(operation)
  const serialize = replySerializer(operation.reply)
  const receives = operation.kind === 'command' && operation.bodyType === 'upload'
  const fileBytes = operation.kind === 'command' && operation.bodyType === 'file' ? (operation.maxBytes ?? 0) : null
  const readParts = operation.kind === 'command' ? partsReader(operation) : () => ({})
  const receiving = receivingOf(operation, kernel, readParts)
  const bodyOf =
    operation.kind === 'command' ? bodyReader(operation, kernel.reading) : () => ({ body: undefined, file: null })
  /**
   * Parses the body once per request: the result does not change when the caller is judged again, and parsing a large
   * body is slow.
   */
  const readBody = (asking: Asking): Promise<ReadBody> => {
    asking.state.arrival ??= (async () => bodyOf(asking.body))()
    return asking.state.arrival
  }
  const keeper = new ResultSaver({ operation, ...kernel, readQuery, readBody })

  return {
    count,
    identify,
    judge,
    read,
    readDelayed,
    readHeld,
    perform,
    refuse,

    async onRequest(request, reply) {
      try {
        return await admit(request, reply)
      } catch (error) {
        if (!keeper.isToBeKept(request, error)) throw await toldTo(request, error)
        // The refusal is sent after the body has arrived, because the key stands for the body, too.
        request.state.refused = error
        return undefined
      }
    },

    async handler(request, reply) {
      try {
        return await handle(request, reply)
      } finally {
        request.state.releaseBody()
      }
    },
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const real = new Date()
    if (operation.kind === 'command') {
      const { refused } = request.state
      request.state.refused = null
      const rendered = await (refused === null
        ? perform(request, real, () => admitAgain(request))
        : refuse(request, refused))
      return send(operation, request, reply, rendered, kernel, { tags: [], until: null })
    }
    const heldRead = heldReadOf(operation, request, {
      isLate: isAskedDelayed(request.query),
      held: kernel.held,
      identify,
      judge,
    })
    if (heldRead !== null) {
      const { seconds, isShared, tags, until, isCached, answer, ...rest } = await readHeld(heldRead, real)
      // Whether it may be compressed does not depend on whether it was cached, so that its headers do not tell.
      if (isShared) request.state.isPublic = true
      const late = seconds === null ? answer : delayedBy(answer, seconds)
      return send(operation, request, reply, { ...rest, answer: late }, kernel, { tags: isCached ? tags : [], until })
    }
    if (isAskedDelayed(request.query)) {
      const { shown, tags, until, answer, ...rest } = await readDelayed(request, real, 'requests')
      const late = delayedBy(answer, shown.seconds)
      return send(operation, request, reply, { ...rest, answer: late }, kernel, { tags, until })
    }
    const { tags, until, isCached, ...rendered } = await read(request, kernel.db, real)
    return send(operation, request, reply, rendered, kernel, { tags: isCached ? tags : [], until })
  }

  function isAskedDelayed(query: unknown): boolean {
    if (operation.kind !== 'query' || operation.live?.canBeDelayed !== true) return false
    return (readQuery(query) as { readonly delayed?: boolean }).delayed === true
  }

  function readHeld(reading: HeldRead, real: Date): Promise<HeldReading> {
    return readInLane(operation, kernel, reading, (asking, db) => read(asking, db, real, kernel.db))
  }

  function askedOf(asking: Asking, real: Date) {
    return {
      query: readQuery(asking.query),
      headers: readHeaders(asking.headers),
      isMe: isMe(asking.params),
      now: instantFor(asking, real),
      services: kernel.services,
      request: {
        address: asking.ip,
        userAgent: asking.headers['user-agent'] ?? null,
        key: takesKey(operation) ? readKey(asking.headers) : null,
        isFollowed: asking.isFollowed === true,
        isHead: asking.method === 'HEAD',
        cookies: asking.cookies,
        parameters: readParameters(asking),
        file: null,
        upload: null,
        bytes: bytesOf(operation, asking.body),
        ...countersBy(kernel.limits.count),
      },
    }
  }

  /** The input of a handler: the request, and the results of admission. */
  function inputOf({ state }: Asking, asked: object): object {
    return { ...state.records, actor: state.actor, ...asked }
  }

  async function read(asking: Asking, db: Db, real: Date, present = db): Promise<Reading> {
    const input = { ...inputOf(asking, askedOf(asking, real)), db, present }
    const prepared = await timed('prepare', () => operation.prepare?.({ ...input, clients: kernel.clients } as never))
    const collected = new Collected()
    const result = await timed('run', () => operation.run({ ...input, prepared, depends: collected.depends } as never))
    return { ...render(operation, result, serialize), ...dependenciesOf(collected.all, asking.state) }
  }

  /**
   * The delayed state as anonymous viewers see it, for every caller, so that a delayed read shows nothing that was
   * hidden at its time. Current rights decide access: the record must be visible to viewers at both times.
   */
  async function readDelayed(
    { params, query, ip, isFollowed, state }: Asking,
    real: Date,
    lane: ViewLane,
  ): Promise<DelayedReading> {
    const judged = async (db: Db) => {
      const asking: Asking = {
        params,
        query,
        ip,
        headers: {},
        cookies: {},
        url: '',
        state: newState(operation),
        ...(isFollowed && { isFollowed }),
      }
      identify(asking, viewerIn(state))
      await judge(asking, db)
      return asking
    }
    const { tournament, records, clock } = (await judged(kernel.db)).state
    if (tournament === null) throw new Error(`${operation.name} can be delayed and is in no tournament`)
    const match = (operation.kind === 'query' && operation.live?.matchOf?.(records)) || null
    return readShown(kernel.database, lane, { tournament, match }, async (db, shown) => {
      const { tags, until, ...rest } = await read(await judged(db), db, real)
      const first = [until, shown.until].reduce((one, other) =>
        one !== null && (other === null || one < other) ? one : other,
      )
      return { ...rest, tags: [...tags, tournament, ...clockTagsOf({ clock, tournament })], until: first, shown }
    })
  }

  /** Whether a change of rights may have caused a failure; one that cannot be checked is reported as it is. */
  async function isOvertaken(judged: Judged, error: unknown): Promise<boolean> {
    return failedForRights(error) || haveRightsChanged(kernel.db, judged).catch(() => false)
  }

  /**
   * A command is carried out, or refused, by the rights at its commit. If its caller's rights were reduced before the
   * commit, it is rolled back and judged again, until it succeeds or is refused. Requests to other services in its
   * preparation are not repeated.
   */
  async function perform(asking: Asking, real: Date, judgeAgain: () => Promise<void>): Promise<Rendered> {
    const stage = { isPreparing: false }
    const carriedOut = carryOut(asking, real, judgeAgain, stage)
    // A refusal from outside the transaction has not been saved yet.
    return toldOf(await carriedOut.catch((error: unknown) => keeper.refuse(asking, error, stage.isPreparing)))
  }

  async function refuse(asking: Asking, error: unknown): Promise<Rendered> {
    return toldOf(await keeper.refuse(asking, await toldTo(asking, error)))
  }

  /** The refusal of a caller who was not let through, as it follows from what the caller may know. */
  async function toldTo(asking: Asking, error: unknown): Promise<unknown> {
    return refusalShown(error, () => outsideOf(operation, asking, around), kernel.database)
  }

  async function carryOut(
    asking: Asking,
    real: Date,
    judgeAgain: () => Promise<void>,
    stage: { isPreparing: boolean },
  ): Promise<Rendered | Refused> {
    const { db, clients, database } = kernel
    await runDueIn(asking, kernel, { isRunning: true })
    const asked = askedOf(asking, real)
    const key = takesKey(operation) ? readKey(asking.headers) : null
    let preparation: (ReadBody & { readonly prepared: unknown }) | undefined
    const arrive = (): Promise<ReadBody> => {
      const isForm = receives || asking.body instanceof AnnouncedUpload
      if (!isForm && fileBytes === null) return readBody(asking)
      asking.state.arrival ??= isForm ? receiving.parts(asking, asked) : receiving.file(asking, fileBytes ?? 0)
      return asking.state.arrival
    }
    /** null for callers who see the present, and for commands that are not for outsiders. */
    const findOutside = async () => {
      const outside = await outsideOf(operation, asking, around)
      return outside?.mayRun === true ? outside : null
    }
    let seen = await findOutside()
    const withBody = ({ body, file, upload = null }: ReadBody, of = asking) => {
      return { ...inputOf(of, asked), body, request: { ...asked.request, file, upload } }
    }
    const prepare = async (): Promise<NonNullable<typeof preparation>> => {
      const sent = await arrive()
      stage.isPreparing = true
      // The records of outsiders are those that they are shown.
      const of = seen === null || operation.prepare === undefined ? asking : await judgedAsShown(database, seen)
      const prepared = await timed('prepare', () =>
        operation.prepare?.({ ...withBody(sent, of), db, clients } as never),
      )
      stage.isPreparing = false
      return { ...sent, prepared }
    }
    const attempt = async (judged: Judged | null) => {
      preparation ??= await prepare()
      const arrived = preparation
      const { body, prepared, tournament = null } = arrived
      const file = digestOfFile(arrived)
      const place = placeOf(asking, asked.now)
      const run = async (tx: Tx, of: Asking, counters: Counters | null) => {
        const { request, ...rest } = withBody(arrived, of)
        const input = { ...rest, request: counters === null ? request : { ...request, ...counters }, prepared, tx }
        return timed('run', () => operation.run(input as never))
      }
      const work = async (tx: Tx) => {
        const { told, isShown } =
          seen === null
            ? { told: await run(tx, asking, null), isShown: true }
            : await runForOutsider(kernel, seen, { tx, place, asking, run })
        if (told instanceof Refusal) return { refused: told.problem }
        const rendered = render(operation, told, serialize)
        if (seen === null || isShown || shownBy === null) return rendered
        return answerShown(rendered, shownBy, { tx, asking, real, lane: seen.lane, life: kernel.lifeOf(shownBy.read) })
      }
      const sending =
        key === null || judged === null
          ? null
          : sendingOf(judged.user, key, contentOf(operation, asking, { query: asked.query, body, file }))
      return database.transaction(async (tx) => {
        if (place !== null) workAtFirst(tx, place)
        const result = await (sending === null ? work(tx) : keeper.once(tx, sending, work))
        if (judged !== null) checkRightsAtCommit(tx, { ...judged, tournament: judged.tournament ?? tournament })
        return result
      })
    }
    for (;;) {
      const judged = judgedBy(asking.state)
      const outcome = await attempt(judged).catch(async (error: unknown) => {
        if (judged === null || !(await isOvertaken(judged, error))) throw kernel.problemOf(error)
        return null
      })
      if (outcome === null) {
        await judgeAgain()
        seen = await findOutside()
      } else {
        await runDueIn(asking, kernel, { isRunning: false })
        return outcome
      }
    }
  }
}
