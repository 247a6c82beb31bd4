import { useChosen, useEditing } from '../editing.ts'
import { type Box, boxOf, type Guide, isLocked, pointsOf } from '../geometry.ts'
import styles from './canvas.module.css'

/** What is chosen here and by others, over the scene. They take no colours of the scene, so that they are seen on all. */

export const handles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type Handle = (typeof handles)[number]

/** A small element has handles where there is room for them. */
function handlesOf(width: number, height: number): readonly Handle[] {
  if (width < 24 || height < 24) return ['se']
  return handles.filter((each) => each.length === 2 || (each === 'n' || each === 's' ? width >= 60 : height >= 60))
}

export function Marks({ zoom, guides }: { readonly zoom: number; readonly guides: readonly Guide[] }) {
  const { scene, sceneId, selection, others, mayEdit } = useEditing()
  const { elements } = scene
  const chosen = useChosen()
  const hasHandles =
    mayEdit && chosen !== null && !isLocked(elements, chosen.id) && (chosen.element.rotation ?? 0) === 0
  const place = ({ x, y, width, height }: Box, rotation = 0) => ({
    left: x * zoom,
    top: y * zoom,
    width: width * zoom,
    height: height * zoom,
    transform: rotation === 0 ? undefined : `rotate(${rotation}deg)`,
  })
  return (
    <div className={styles.marks} aria-hidden="true">
      {others.flatMap(({ connection, name, color, scene: where, selection: theirs }) =>
        where !== sceneId
          ? []
          : theirs.flatMap((id, at) => {
              const box = boxOf(elements, id)
              if (box === null) return []
              return [
                <div
                  key={`${connection} ${id}`}
                  data-color={color}
                  className={styles.theirs}
                  style={place(box, elements[id]?.rotation)}
                >
                  {at === 0 && <bdi>{name}</bdi>}
                </div>,
              ]
            }),
      )}
      <div data-marks="" className={styles.own}>
        {selection.map((id) => {
          const box = boxOf(elements, id)
          return box === null ? null : (
            <div key={id} data-mark={id} className={styles.mark} style={place(box, elements[id]?.rotation)}>
              {hasHandles &&
                handlesOf(box.width * zoom, box.height * zoom).map((each) => (
                  <i key={each} data-handle={each} className={styles.handle} />
                ))}
              {hasHandles &&
                pointsOf(chosen.element).map(([x, y], at) => (
                  <i
                    // biome-ignore lint/suspicious/noArrayIndexKey: a point is known by its place alone
                    key={at}
                    data-point={at}
                    className={styles.point}
                    style={{ left: x * zoom, top: y * zoom }}
                  />
                ))}
            </div>
          )
        })}
      </div>
      {guides.map(({ axis, at }) => (
        <i
          key={axis}
          className={axis === 'x' ? styles.across : styles.along}
          style={axis === 'x' ? { left: at * zoom } : { top: at * zoom }}
        />
      ))}
    </div>
  )
}
