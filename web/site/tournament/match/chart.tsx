import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { lengthOf } from '../../parts/numbers.ts'
import styles from './live.module.css'
import type { Kind } from './live.tsx'
import type { Point } from './live-values.ts'
import type { Index } from './people.ts'

/** The lines of the live values. It comes when there are any; the tables say the same. */

interface Props {
  readonly kind: Kind
  readonly points: readonly Point[]
  /** The length of the song. */
  readonly seconds: number | null
  readonly sideOf: (user: string) => Index | undefined
}

const height = 160

export default function Chart({ kind, points, seconds, sideOf }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const users = Object.keys(points.at(-1)?.accuracies ?? {})
  const lines = kind === 'lead' ? 'lead' : users.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart is made anew when its lines are others, not its points
  useEffect(() => {
    const box = place.current
    if (box === null) return
    const color = colorsOf(box)
    const series =
      kind === 'lead'
        ? [side(color, 0, true), side(color, 1, true)]
        : users.map((user, at) => ({
            ...side(color, sideOf(user) ?? 0, false),
            dash: dashes[at % dashes.length] ?? [],
          }))
    const made = new uPlot(
      {
        width: box.clientWidth,
        height,
        padding: kind === 'lead' ? [0, 20, 0, 20] : [8, 20, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: (_, min, max) => [Math.min(0, min), Math.max(seconds ?? 0, max)] },
          y: { range: kind === 'lead' ? around : near },
        },
        axes: [
          axis(color, { size: 24, values: (_, at) => at.map((each) => lengthOf(each)) }),
          kind === 'accuracy'
            ? axis(color, { size: 44, values: (_, at) => at.map((each) => each.toFixed(1)) })
            : axis(color, {
                size: 0,
                splits: () => [0],
                values: () => [''],
                grid: { stroke: () => color('edge'), width: 1 },
              }),
        ],
        series: [{}, ...series],
      },
      dataOf(kind, points, users),
      box,
    )
    chart.current = made
    const watcher = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height }))
    watcher.observe(box)
    return () => {
      watcher.disconnect()
      made.destroy()
    }
  }, [kind, lines, seconds])
  useEffect(() => chart.current?.setData(dataOf(kind, points, users)))
  return <div ref={place} className={styles.chart} aria-hidden="true" />
}

const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]]

type Color = (name: string) => string

/** Colours as the page has them now: by the theme, which may change. */
function colorsOf(box: HTMLElement): Color {
  const probe = document.createElement('i')
  probe.hidden = true
  box.append(probe)
  return (name) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
}

function side(color: Color, at: Index, isFilled: boolean): uPlot.Series {
  return {
    stroke: () => color(`side${at + 1}`),
    width: 2,
    points: { show: false },
    ...(isFilled && { fill: () => color(`tint-side${at + 1}`), fillTo: 0 }),
  }
}

function axis(color: Color, more: uPlot.Axis): uPlot.Axis {
  const line = { stroke: () => color('line'), width: 1 }
  return { stroke: () => color('muted'), font: '12px sans-serif', grid: line, ticks: { show: false }, ...more }
}

/** Zero in the middle. */
const around: uPlot.Range.Function = (_, min, max) => {
  const most = Math.max(Math.abs(min), Math.abs(max), 1) * 1.15
  return [-most, most]
}
const near: uPlot.Range.Function = (_, min, max) => [Math.floor(min - 0.5), Math.min(100, Math.ceil(max + 0.5))]

function dataOf(kind: Kind, points: readonly Point[], users: readonly string[]): uPlot.AlignedData {
  if (kind === 'accuracy') {
    const lines = users.map((user) =>
      points.map(({ accuracies }) => (accuracies[user] === undefined ? null : accuracies[user] * 100)),
    )
    return [points.map(({ at }) => at), ...lines]
  }
  const all = crossing(points.flatMap(({ at, lead }) => (lead === null ? [] : [{ at, lead }])))
  return [
    all.map(({ at }) => at),
    all.map(({ lead }) => (lead >= 0 ? lead : null)),
    all.map(({ lead }) => (lead <= 0 ? lead : null)),
  ]
}

interface Lead {
  readonly at: number
  readonly lead: number
}

/** With a point wherever the lead changes sides, so that each side’s area ends at zero. */
function crossing(points: readonly Lead[]): readonly Lead[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    if (before === undefined || before.lead * point.lead >= 0) return [point]
    const share = before.lead / (before.lead - point.lead)
    return [{ at: before.at + share * (point.at - before.at), lead: 0 }, point]
  })
}
