import type { FlowState, Match } from '../../../../client/generated.ts'
import type { ApiError } from '../api.ts'
import type { Line, NewReport, Refusal, Report, Theirs, Values } from './types.ts'

/** What a refusal says of a report: what the service has in its place, and what the reader's choice does. (W10, W12) */

export function refusalOf(report: Report, { status, code, message, data }: ApiError): Refusal {
  const { match, state } = data as { readonly match?: Match; readonly state?: FlowState }
  return {
    ...{ status, code, message },
    theirs: report.lines.map((line) =>
      match !== undefined ? ofMatch(match, report, line) : state !== undefined ? ofSession(state, report, line) : null,
    ),
    revision: match?.revision ?? null,
    position: state?.position ?? null,
    isOver: match?.status === 'completed' || state?.status === 'over' || /^(match\.completed|flow\.over)$/.test(code),
  }
}

function ofMatch({ games }: Match, { game }: Report, { who }: Line): Theirs | null {
  const side = games.find(({ number }) => number === game)?.sides[Number(who) - 1]
  return side === undefined ? null : { values: { score: side.score }, score: null }
}

function ofSession({ games }: FlowState, { game, chain = 1, run, request }: Report, { who }: Line): Theirs | null {
  const runs = games.find((each) => each.game === game)?.chains[chain - 1] ?? []
  const scores = runs.find((each) => each.run === run)?.scores ?? []
  const found = scores.find((each) =>
    request.params.score === undefined
      ? each.counts && (who === `seat:${each.seat}` || who === each.user)
      : each.guid === request.params.score,
  )
  if (found === undefined) return null
  const { score, accuracy, misses, completion, guid } = found
  return { values: { score, accuracy, misses, completion }, score: guid }
}

/** Whether somebody else has told another result for a line. What was not reported is not compared. */
export const isOther = ({ lines }: NewReport, { theirs }: Refusal): boolean =>
  lines.some(({ values }, at) => theirs[at] != null && !isSame(values, theirs[at].values))

/**
 * What is left to be sent where no other result was told: nothing of what the service has already, and the rest at
 * the position that the session is at. Undefined where that is refused too.
 */
export function leftOf(report: NewReport, refusal: Refusal): readonly NewReport[] | undefined {
  if (isOther(report, refusal)) return undefined
  const left = report.lines.filter((_, at) => refusal.theirs[at] == null)
  if (left.length === 0 && report.lines.length > 0) return []
  return refusal.code === 'flow.moved' ? [withLines(report, left, refusal)] : undefined
}

function isSame(mine: Values, theirs: Values | undefined): boolean {
  if (theirs === undefined) return false
  const { score, accuracy, misses, completion } = mine
  return (
    score === theirs.score &&
    (accuracy == null || Math.abs(accuracy - (theirs.accuracy ?? -1)) < 0.000_05) &&
    (misses == null || misses === theirs.misses) &&
    (completion ?? 'passed') === (theirs.completion ?? 'passed')
  )
}

/** Whether mine can be chosen: the service has other values, and takes a change of them. */
export const canChoose = ({ theirs, isOver }: Refusal): boolean => !isOver && theirs.some((each) => each !== null)

/** What is sent for the chosen lines; nothing where theirs are chosen. */
export function chosen(
  report: Report,
  refusal: Refusal,
  mine: ReadonlySet<string>,
  reason: string,
): readonly NewReport[] {
  const wanted = report.lines.map((line, at) => {
    const theirs = refusal.theirs[at]
    return mine.has(line.who) || theirs == null ? line : { ...line, values: theirs.values }
  })
  const differing = report.lines.filter(
    (line, at) => mine.has(line.who) && !isSame(line.values, refusal.theirs[at]?.values),
  )
  const { request } = report
  if (request.at.startsWith('PUT')) return differing.length === 0 ? [] : [changed(report, wanted, refusal.revision)]
  const { tournament = '', flowSession = '' } = request.params
  const left = report.lines.filter((_, at) => refusal.theirs[at] == null)
  const rest = left.length === 0 ? [] : [withLines(report, left, refusal)]
  const corrections = differing.flatMap((line): readonly NewReport[] => {
    const score = refusal.theirs[report.lines.indexOf(line)]?.score
    if (score == null) return []
    const { score: points, ...others } = line.values
    return [
      {
        ...report,
        lines: [line],
        isComplete: false,
        request: {
          at: 'PATCH /tournaments/{tournament}/flow-sessions/{flowSession}/scores/{score}',
          params: { tournament, flowSession, score },
          body: { ...others, ...(points !== null && { score: points }), reason },
        },
      },
    ]
  })
  return [...rest, ...corrections]
}

/** The same report of some of its lines, at the position that the session is at. */
function withLines(report: NewReport, lines: readonly Line[], { position }: Refusal): NewReport {
  const { request } = report
  if (request.at !== 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/scores') return report
  const scores = request.body.scores.filter((_, at) => lines.includes(report.lines[at] as Line))
  const { expect: _seen, ...body } = request.body
  return {
    ...report,
    lines,
    request: { ...request, body: { ...body, scores, ...(position !== null && { expect: position }) } },
  }
}

/** A report with other values. @param revision of the match, to change a game that it has */
export function changed(report: NewReport, lines: readonly Line[], revision: number | null = null): NewReport {
  const { request } = report
  switch (request.at) {
    case 'PUT /tournaments/{tournament}/matches/{match}/games/{number}': {
      const { revision: _seen, ...body } = request.body
      const sides = lines.map(({ values: { score } }) => ({ score }))
      return {
        ...report,
        lines,
        request: { ...request, body: { ...body, sides, ...(revision !== null && { revision }) } },
      }
    }
    case 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/scores': {
      const scores = lines.map((line, at) => ({
        ...request.body.scores[at],
        ...line.values,
        score: line.values.score ?? 0,
      }))
      return { ...report, lines, request: { ...request, body: { ...request.body, scores } } }
    }
    case 'PATCH /tournaments/{tournament}/flow-sessions/{flowSession}/scores/{score}': {
      const [line] = lines
      const { score = 0, ...others } = line?.values ?? {}
      return { ...report, lines, request: { ...request, body: { ...request.body, ...others, score: score ?? 0 } } }
    }
  }
}
