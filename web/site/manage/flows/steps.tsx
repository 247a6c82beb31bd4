import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { FlowProblem } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { say } from '../../parts/announcer.tsx'
import { Finding } from './findings.tsx'
import styles from './flows.module.css'
import {
  type Block,
  inserted,
  isEach,
  isStep,
  moved,
  newStep,
  numberOf,
  orders,
  type Part,
  type Path,
  removed,
  replaced,
} from './model.ts'
import { orderText, repeatText } from './sentences.ts'
import { Choosable } from './slot.tsx'
import { type Around, StepLine } from './step-line.tsx'
import { StepMore } from './step-more.tsx'

/** The steps of a flow as a numbered list that is edited in place, by the pointer and by keys. */

interface Props {
  readonly steps: readonly Part[]
  readonly around: Around
  readonly problems: readonly FlowProblem[]
  readonly change: (steps: readonly Part[]) => void
}

interface Editing extends Props {
  /** What gets the focus once the list is drawn anew. */
  readonly aim: (path: Path, at: 'up' | 'down' | 'first') => void
}

export function Steps(props: Props) {
  const list = useRef<HTMLDivElement>(null)
  const aimed = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is looked for in what was drawn anew
  useEffect(() => {
    if (aimed.current === null) return
    list.current?.querySelector<HTMLElement>(aimed.current)?.focus()
    aimed.current = null
  }, [props.steps])
  const aim: Editing['aim'] = (path, at) => {
    const line = `[data-step="${numberOf(path)}"] > [data-line]`
    aimed.current = at === 'first' ? `${line} select` : `${line} [data-move="${at}"]`
  }
  return (
    <div ref={list}>
      <List {...props} aim={aim} parts={props.steps} path={[]} isInEach={false} />
    </div>
  )
}

interface ListProps extends Editing {
  readonly parts: readonly Part[]
  readonly path: Path
  readonly isInEach: boolean
}

function List(props: ListProps) {
  const { steps, parts, path, isInEach, change, aim } = props
  const add = (part: Part) => {
    const place = [...path, parts.length]
    aim(place, 'first')
    change(inserted(steps, place, part))
  }
  const within = path.length === 0 ? '' : numberOf(path)
  const actor = isInEach ? 'it' : 'higherSeed'
  return (
    <>
      <ol className={styles.steps}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is what is at its place
          <Line key={index} {...props} part={part} path={[...path, index]} />
        ))}
      </ol>
      <div className={`btns ${styles.add}`}>
        <button type="button" className="btn" onClick={() => add(newStep('ban', actor))}>
          {words('flows.add-step')}
          {within !== '' && <span className="unseen"> {words('flows.within-part', { number: within })}</span>}
        </button>
        {path.length < 2 && (
          <>
            <button
              type="button"
              className="btn btn-quiet"
              onClick={() =>
                add({ repeat: 'until_decided', steps: [newStep('pick', actor), newStep('play', 'system')] })
              }
            >
              {words('flows.add-repeat')}
              {within !== '' && <span className="unseen"> {words('flows.within-part', { number: within })}</span>}
            </button>
            <button
              type="button"
              className="btn btn-quiet"
              onClick={() => add({ each: 'lowest_seed_first', steps: [newStep('ban', 'it')] })}
            >
              {words('flows.add-each')}
              {within !== '' && <span className="unseen"> {words('flows.within-part', { number: within })}</span>}
            </button>
          </>
        )}
      </div>
    </>
  )
}

function Line(props: ListProps & { readonly part: Part }) {
  const { steps, part, path, around, problems, change, aim, isInEach } = props
  const [isOpen, setOpen] = useState(false)
  const number = numberOf(path)
  const found = problems.filter(({ step }) => step === number)
  const move = (by: -1 | 1) => {
    const next = moved(steps, path, by)
    if (next === null) return
    aim(next.path, by < 0 ? 'up' : 'down')
    change(next.parts)
    say(words('flows.moved', { number: numberOf(next.path) }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  const remove = () => {
    const index = path.at(-1) ?? 0
    aim(index === 0 ? path : [...path.slice(0, -1), index - 1], 'first')
    change(removed(steps, path))
    say(words('flows.removed', { number }))
  }
  const set = (next: Part) => change(replaced(steps, path, next))
  const isFirst = moved(steps, path, -1) === null
  const isLast = moved(steps, path, 1) === null
  const worst = found.some(({ severity }) => severity === 'error')
    ? styles.wrong
    : found.length > 0
      ? styles.doubtful
      : ''
  return (
    <li data-step={number} className={worst}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the controls in it */}
      <div data-line className={styles.line} onKeyDown={onKeyDown}>
        <span className={styles.number}>{number}</span>
        {isStep(part) ? (
          <StepLine step={part} number={number} around={around} isInEach={isInEach} change={set} />
        ) : (
          <BlockLine block={part} number={number} around={around} change={set} />
        )}
        <div className={styles.acts}>
          {isStep(part) && (
            <button type="button" className="btn btn-quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {words('flows.more')}
              <span className="unseen"> {words('flows.of-step', { number })}</span>
            </button>
          )}
          {(['up', 'down'] as const).map((way) => (
            <button
              key={way}
              type="button"
              className="btn btn-quiet"
              data-move={way}
              aria-disabled={way === 'up' ? isFirst : isLast}
              onClick={() => move(way === 'up' ? -1 : 1)}
            >
              {words(`flows.${way}`)}
              <span className="unseen"> {words('flows.of-step', { number })}</span>
            </button>
          ))}
          <button
            type="button"
            className="btn btn-quiet"
            aria-disabled={steps.length === 1 && path.length === 1}
            onClick={remove}
          >
            {words('settings.remove')}
            <span className="unseen"> {words('flows.of-step', { number })}</span>
          </button>
        </div>
        {found.length > 0 && (
          <ul className={styles.findings}>
            {found.map((each) => (
              <Finding key={each.code} of={each} />
            ))}
          </ul>
        )}
        {isOpen && isStep(part) && <StepMore step={part} around={around} isInEach={isInEach} change={set} />}
      </div>
      {!isStep(part) && (
        <div className={styles.block}>
          <List {...props} parts={part.steps} path={path} isInEach={isInEach || isEach(part)} />
        </div>
      )}
    </li>
  )
}

function BlockLine({
  block,
  number,
  around,
  change,
}: {
  readonly block: Block
  readonly number: string
  readonly around: Around
  readonly change: (block: Block) => void
}) {
  if (isEach(block)) {
    const pairs = around.seats === 2 ? [...new Set(['order', ...around.pairs])] : []
    return (
      <p className={styles.head}>
        {words('flows.each')}{' '}
        <Choosable
          label={words('flows.slot-each', { number })}
          text={orderText(block.each)}
          value={block.each}
          options={[...orders, ...pairs].map((each) => [each, orderText(each)])}
          choose={(each) => change({ ...block, each })}
        />
      </p>
    )
  }
  const counts = ['until_decided', ...Array.from({ length: 19 }, (_, index) => `${index + 2}`)]
  return (
    <p className={styles.head}>
      {words('flows.repeat')}{' '}
      <Choosable
        label={words('flows.slot-repeat', { number })}
        text={repeatText(block.repeat)}
        value={`${block.repeat}`}
        options={counts.map((count) => [count, repeatText(count === 'until_decided' ? count : Number(count))])}
        choose={(count) => change({ ...block, repeat: count === 'until_decided' ? count : Number(count) })}
      />
    </p>
  )
}
