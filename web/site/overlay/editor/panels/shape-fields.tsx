import type { SceneElement } from '../../../../../src/engine/scenes/document.ts'
import { words } from '../../../data/words.ts'
import { Icon } from '../../../parts/icon.tsx'
import { useEditing } from '../editing.ts'
import { type Point, pointsOf, rounded } from '../geometry.ts'
import { CheckBox, ColorBox, NumberBox } from './boxes.tsx'
import styles from './properties.module.css'
import type { OfElement } from './props.tsx'
import { shownForOne } from './refusal.tsx'

/** What shapes alone have: the points of a polygon, and the colours of a gradient. Both are replaced whole. */

const mostPoints = 32
const mostStops = 8

/** A triangle that fills the element. */
const begun = ({ width, height }: SceneElement): readonly Point[] => [
  [rounded(width / 2), 0],
  [width, height],
  [0, height],
]

export function Points({ element, isShut, set }: OfElement) {
  const points = pointsOf(element)
  const put = (next: readonly Point[], joins?: boolean) => set({ 'props.points': next }, joins)
  const after = (at: number): Point => {
    const [one, other] = [points[at] as Point, points[(at + 1) % points.length] as Point]
    return [rounded((one[0] + other[0]) / 2), rounded((one[1] + other[1]) / 2)]
  }
  return (
    <fieldset className={styles.listing}>
      <legend>{words('editor.prop-points')}</legend>
      {points.map((point, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a point is known by its place alone
        <fieldset key={at} className={styles.listed} aria-label={words('editor.point', { number: at + 1 })}>
          <span className="small muted num">{at + 1}</span>
          {(['x', 'y'] as const).map((axis, of) => (
            <NumberBox
              key={axis}
              label={words(`editor.prop-${axis}`)}
              value={point[of]}
              disabled={isShut}
              commit={(value, joins) => value !== undefined && put(points.with(at, moved(point, of, value)), joins)}
            />
          ))}
          {!isShut && (
            <>
              <IconButton
                icon="plus"
                label={words('editor.add-point', { number: at + 1 })}
                isOff={points.length >= mostPoints}
                act={() => put(points.toSpliced(at + 1, 0, after(at)))}
              />
              <IconButton
                icon="minus"
                label={words('editor.remove-point', { number: at + 1 })}
                isOff={points.length <= 3}
                act={() => put(points.toSpliced(at, 1))}
              />
            </>
          )}
        </fieldset>
      ))}
      {points.length < 3 && !isShut && (
        <button type="button" className="btn" onClick={() => put(begun(element))}>
          {words('editor.begin-points')}
        </button>
      )}
    </fieldset>
  )
}

const moved = ([x, y]: Point, of: number, value: number): Point => (of === 0 ? [value, y] : [x, value])

interface Stop {
  readonly at: number
  readonly color: string
}

interface GradientValue {
  readonly angle?: number
  readonly stops: readonly Stop[]
}

export function Gradient({ element, isShut, set }: OfElement) {
  const { document: scenes } = useEditing()
  const gradient = element.props?.gradient as GradientValue | undefined
  const put = (next: GradientValue | undefined, joins?: boolean) => set({ 'props.gradient': next }, joins)
  const fill = element.props?.fill
  const first = typeof fill === 'string' ? fill : '#53d3a5'
  const stops = gradient?.stops ?? []
  const putStop = (at: number, members: Partial<Stop>, joins?: boolean) =>
    put({ ...gradient, stops: stops.with(at, { ...(stops[at] as Stop), ...members }) }, joins)
  const add = () => {
    const [one, other] = stops.slice(-2) as [Stop, Stop]
    const between = { at: (one.at + other.at) / 2, color: one.color }
    return put({ ...gradient, stops: stops.toSpliced(-1, 0, between) })
  }
  return (
    <>
      <CheckBox
        label={words('editor.prop-gradient')}
        value={gradient !== undefined}
        disabled={isShut}
        commit={(isOn) =>
          put(
            isOn
              ? {
                  angle: 180,
                  stops: [
                    { at: 0, color: first },
                    { at: 1, color: '#0e1311' },
                  ],
                }
              : undefined,
          )
        }
      />
      {gradient !== undefined && (
        <fieldset className={styles.listing} aria-label={words('editor.prop-gradient')}>
          <NumberBox
            label={words('editor.angle')}
            value={gradient.angle}
            otherwise={180}
            unit="°"
            disabled={isShut}
            commit={(angle, joins) => angle !== undefined && put({ ...gradient, angle }, joins)}
          />
          {stops.map(({ at: share, color }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stop is known by its place alone
            <fieldset key={at} className={styles.stop} aria-label={words('editor.stop', { number: at + 1 })}>
              <ColorBox
                label={words('editor.stop-color', { number: at + 1 })}
                value={color}
                disabled={isShut}
                variables={scenes.variables ?? {}}
                commit={(next) => next !== undefined && putStop(at, { color: next })}
              />
              <NumberBox
                label={words('editor.stop-at', { number: at + 1 })}
                value={share}
                times={shownForOne.at}
                unit="%"
                disabled={isShut}
                commit={(value, joins) => value !== undefined && putStop(at, { at: value }, joins)}
              />
              {!isShut && stops.length > 2 && (
                <IconButton
                  icon="minus"
                  label={words('editor.remove-stop', { number: at + 1 })}
                  act={() => put({ ...gradient, stops: stops.toSpliced(at, 1) })}
                />
              )}
            </fieldset>
          ))}
          {!isShut && stops.length < mostStops && (
            <button type="button" className="btn" onClick={add}>
              <Icon name="plus" />
              {words('editor.add-stop')}
            </button>
          )}
        </fieldset>
      )}
    </>
  )
}

interface IconButtonProps {
  readonly icon: 'plus' | 'minus'
  readonly label: string
  readonly isOff?: boolean
  readonly act: () => void
}

function IconButton({ icon, label, isOff = false, act }: IconButtonProps) {
  return (
    <button type="button" className="btn btn-icon" aria-label={label} title={label} aria-disabled={isOff} onClick={act}>
      <Icon name={icon} />
    </button>
  )
}
