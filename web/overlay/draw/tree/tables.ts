import type { TreeMatch } from '../../../../src/engine/scenes/tree.ts'
import { h } from '../../dom.ts'
import { type Brush, Drawn, namesOf, sized, standingOf, styled } from './drawn.ts'

/** Rows have their usual height, or less when the room is short. */
function rowHeight({ size, stretch }: Brush<'standings' | 'schedule'>, count: number, usual: number): number {
  return Math.min(usual * stretch, size.height / Math.max(1, count))
}

/** The standings of groups or of the qualifier. (overlays: Scene document) */
export class StandingsPainter extends Drawn<'standings'> {
  constructor() {
    super('standings', 'standings')
  }

  protected shown({ context: { reading }, props, maxRows }: Brush<'standings'>) {
    const { standings, qualifier } = reading.bound
    const isQualifier = props.source === 'qualifier'
    return { isQualifier, rows: (isQualifier ? qualifier : standings).slice(0, maxRows) }
  }

  protected draw(brush: Brush<'standings'>) {
    const { rows, isQualifier } = this.shown(brush)
    if (rows.length === 0) return []
    const { shows } = brush
    const has = (part: 'played' | 'won' | 'lost' | 'points' | 'value') =>
      shows(part) && rows.some((row) => row[part] !== null)
    const columns = [
      ['played', 'Played', has('played')],
      ['won', 'Won', has('won')],
      ['lost', 'Lost', has('lost')],
      ['points', 'Points', has('points')],
      ['value', isQualifier ? 'Score' : 'Diff.', has('value')],
    ] as const
    const hasShares = isQualifier && areShares(rows.map(({ value }) => value))
    const used = columns.filter(([, , isUsed]) => isUsed)
    const hasHead = shows('head')
    const height = rowHeight(brush, rows.length + (hasHead ? 0.8 : 0), 64)
    const head = h(
      'div',
      'row head',
      shows('rank') ? h('span', 'rank', '') : null,
      h('span', 'name', ''),
      ...used.map(([name, words]) => h('span', `number ${name}`, words)),
    )
    const lines = rows.map((row) => {
      const kind = !shows('qualified') || row.isQualified === null ? '' : row.isQualified ? ' in' : ' out'
      return styled(
        h(
          'div',
          `row${kind}`,
          shows('rank') ? h('span', 'rank', String(row.rank)) : null,
          shows('image') ? brush.portrait('', row.name, row.imageUrl) : null,
          h('span', 'name', shows('name') ? row.name : ''),
          ...used.map(([name]) => h('span', `number ${name}`, numberText(row[name], name, isQualifier, hasShares))),
        ),
        { height: `${height}px` },
      )
    })
    // A name has room for a dozen letters, next to any number of columns.
    const ems =
      1.8 + (shows('rank') ? 2.6 : 0) + (shows('image') ? 2.25 : 0) + (shows('name') ? 8.5 : 0) + used.length * 4.45
    const all = hasHead ? [styled(head, { height: `${height * 0.8}px` }), ...lines] : lines
    return [sized(h('div', 'table', ...all), Math.min(height * 0.46, brush.size.width / ems))]
  }
}

/**
 * Whether the values of a qualifier are accuracies, which its table does not say: none is above 2, and not all are
 * whole numbers. (D62)
 */
function areShares(values: readonly (number | null)[]): boolean {
  const known = values.filter((value) => value !== null)
  return known.every((value) => value >= 0 && value <= 2) && known.some((value) => !Number.isInteger(value))
}

function numberText(value: number | null, name: string, isQualifier: boolean, hasShares: boolean): string {
  if (value === null) return '–'
  if (name === 'value' && hasShares) return `${(value * 100).toFixed(2)}%`
  const isSigned = name === 'value' && !isQualifier
  const text = Math.abs(value).toLocaleString('en-US')
  return value < 0 ? `−${text}` : isSigned && value > 0 ? `+${text}` : text
}

/** Upcoming, running and past matches. (overlays: Scene document) */
export class SchedulePainter extends Drawn<'schedule'> {
  constructor() {
    super('schedule', 'schedule')
  }

  protected shown(brush: Brush<'schedule'>) {
    const { bracket, match } = brush.context.reading.bound
    const parts = [
      ...(brush.shows('recent') ? [...bracket.recent].reverse() : []),
      ...(brush.shows('upcoming') ? bracket.upcoming : []),
    ]
    const seen = new Set<string>()
    const matches = parts.filter(({ guid }) => !seen.has(guid) && seen.add(guid))
    return {
      // Upcoming matches are more important than past ones.
      matches: matches.slice(-brush.maxRows),
      lit: [match?.guid, ...bracket.highlighted.map(({ guid }) => guid)],
    }
  }

  protected draw(brush: Brush<'schedule'>) {
    const { matches, lit } = this.shown(brush)
    if (matches.length === 0) return []
    const isNarrow = brush.size.width < 1_100
    const height = rowHeight(brush, matches.length, isNarrow ? 132 : 108)
    const rows = matches.map((match) =>
      styled(this.#row(match, brush, lit.includes(match.guid)), { height: `${height}px` }),
    )
    const unit = isNarrow
      ? Math.min(height * 0.25, brush.size.width / 22)
      : Math.min(height * 0.34, brush.size.width / 32)
    return [sized(h('div', isNarrow ? 'table narrow' : 'table', ...rows), unit)]
  }

  #row(match: TreeMatch, brush: Brush<'schedule'>, isLit: boolean): HTMLElement {
    const { shows } = brush
    const { isOver, isRunning, when, sideKind } = standingOf(match, brush.time)
    const side = (index: number) => {
      const given = match.sides[index]
      const name = namesOf(match, index)
      const kind = given?.name == null ? ' unknown' : sideKind(index)
      const none = () => h('div', 'portrait none')
      const picture = () => (given?.name == null ? none() : brush.portrait('', name, given.imageUrl))
      return h('div', `side${kind}`, h('span', 'name', name), shows('images') ? picture() : null)
    }
    const score = match.sides.map((each) => each.score ?? 0).join(' : ')
    const hasScore = shows('scores') && (isOver || isRunning)
    const sides = [side(0), h('div', 'score', hasScore ? score : 'vs'), side(1)]
    return h(
      'div',
      `row${isLit ? ' lit' : ''}${isOver ? ' over' : ''}`,
      shows('time') || shows('label')
        ? h(
            'div',
            'when',
            shows('time') ? h('span', isRunning ? 'time live' : 'time', when || 'TBA') : null,
            shows('label') ? h('span', 'label', match.label) : null,
          )
        : null,
      h('div', 'sides', ...sides),
    )
  }
}

/** The casters. (overlays: Records) */
export class CastersPainter extends Drawn<'casters'> {
  constructor() {
    super('casters', 'casters')
  }

  protected shown({ context: { reading }, maxRows }: Brush<'casters'>) {
    return reading.bound.casters.slice(0, Math.min(3, maxRows))
  }

  protected draw(brush: Brush<'casters'>) {
    const casters = this.shown(brush)
    if (casters.length === 0) return []
    const { size, shows } = brush
    const isFlat = size.width > size.height * casters.length * 1.9
    const gap = isFlat ? size.height * 0.12 : size.width * 0.03
    const cards = casters.map(({ name, pronouns, handle, imageUrl }) =>
      h(
        'div',
        isFlat ? 'caster flat' : 'caster',
        shows('image') ? brush.portrait('', name, imageUrl) : null,
        h(
          'div',
          'words',
          shows('name') ? h('span', 'name', name) : null,
          h(
            'div',
            'line',
            shows('handle') && handle ? h('span', 'handle', handle) : null,
            shows('pronouns') && pronouns ? h('span', 'pronouns', pronouns) : null,
          ),
        ),
      ),
    )
    const room = size.width / casters.length - gap
    const unit = isFlat ? Math.min(size.height / 3.1, room / 14) : Math.min(size.height / 11, room / 11)
    return [styled(sized(h('div', isFlat ? 'row flat' : 'row', ...cards), unit), { gap: `${gap}px` })]
  }
}
