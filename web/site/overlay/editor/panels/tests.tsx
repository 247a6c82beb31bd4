import type { ReactNode } from 'react'
import { type Comparison, maxDepth, operators, type Test } from '../../../../../src/engine/scenes/conditions.ts'
import type { Plain } from '../../../../../src/engine/scenes/values.ts'
import { words } from '../../../data/words.ts'
import { ChoiceBox, NumberBox, TextBox } from './boxes.tsx'
import styles from './properties.module.css'

/** A test of a condition: a comparison, or a group of tests that all hold, of which one holds, or that does not hold. (OV4) */

type Operator = Comparison['op']
const groups = ['all', 'any', 'not'] as const
type Kind = (typeof groups)[number]

const withoutValue: readonly Operator[] = ['exists', 'empty']

interface Props {
  readonly test: Test
  /** Of the test; the outermost one has 1. */
  readonly depth: number
  /** Where it is, such as 2.1. */
  readonly place: string
  readonly isShut: boolean
  readonly put: (next: Test) => boolean
  readonly remove: () => void
  /** Asks for a place of the data tree. */
  readonly choosePath: (chosen: (path: string) => void) => void
}

export function TestBox(props: Props) {
  return 'path' in props.test ? <ComparisonBox {...props} test={props.test} /> : <GroupBox {...props} />
}

/** The tests in a group; of what is turned round, the one test. */
function innerOf(test: Exclude<Test, Comparison>): readonly [kind: Kind, tests: readonly Test[]] {
  return 'all' in test ? ['all', test.all] : 'any' in test ? ['any', test.any] : ['not', [test.not]]
}

function groupOf(kind: Kind, tests: readonly Test[]): Test {
  if (kind === 'all') return { all: tests }
  if (kind === 'any') return { any: tests }
  const [only] = tests
  // None of several holds.
  return { not: tests.length === 1 && only !== undefined ? only : { any: tests } }
}

function GroupBox({ test, depth, place, isShut, put, remove, choosePath }: Props) {
  if ('path' in test) return null
  const [kind, tests] = innerOf(test)
  const putAt = (at: number, next: Test) => put(groupOf(kind, tests.with(at, next)))
  const removeAt = (at: number) =>
    tests.length === 1
      ? remove()
      : put(
          groupOf(
            kind,
            tests.filter((_, each) => each !== at),
          ),
        )
  return (
    <fieldset className={styles.tests} aria-label={words('editor.tests-of', { place })}>
      <ChoiceBox
        label={words('editor.tests')}
        value={kind}
        disabled={isShut}
        choices={groups.map((each) => [each, words(`editor.tests-${each}`)])}
        commit={(next) => next !== undefined && put(groupOf(next, tests))}
      />
      {tests.map((each, at) => (
        <TestBox
          // biome-ignore lint/suspicious/noArrayIndexKey: a test is known by its place alone
          key={at}
          test={each}
          depth={depth + 1}
          place={`${place}.${at + 1}`}
          isShut={isShut}
          put={(next) => putAt(at, next)}
          remove={() => removeAt(at)}
          choosePath={choosePath}
        />
      ))}
      {!isShut && (
        <Acts place={place}>
          {kind !== 'not' && (
            <Act
              name="add-test"
              place={place}
              act={() => choosePath((path) => put(groupOf(kind, [...tests, { path, op: 'exists' }])))}
            />
          )}
          <Act name="remove-tests" place={place} act={remove} />
        </Acts>
      )}
    </fieldset>
  )
}

function ComparisonBox({
  test,
  depth,
  place,
  isShut,
  put,
  remove,
  choosePath,
}: Omit<Props, 'test'> & { readonly test: Comparison }) {
  const { path, op, value } = test
  return (
    <fieldset className={styles.condition} aria-label={words('editor.test-of', { place })}>
      <span className="code small">{path}</span>
      <ChoiceBox
        label={words('editor.test')}
        value={op}
        disabled={isShut}
        choices={operators.map((each) => [each, words(`editor.op-${each}`)])}
        commit={(next) => next !== undefined && put(comparisonWith(path, next, value))}
      />
      {op === 'changedWithin' ? (
        <NumberBox
          label={words('editor.compared-within')}
          unit="ms"
          value={Number(value) || 0}
          disabled={isShut}
          commit={(within) => put({ path, op, value: within ?? 0 })}
        />
      ) : (
        !withoutValue.includes(op) && (
          <TextBox
            label={words(op === 'in' ? 'editor.compared-list' : 'editor.compared')}
            value={Array.isArray(value) ? value.join(', ') : String(value ?? '')}
            disabled={isShut}
            commit={(text) => put({ path, op, value: op === 'in' ? listIn(text) : typedValue(text) })}
          />
        )
      )}
      {!isShut && (
        <Acts place={place}>
          <Act name="change-place" place={place} act={() => choosePath((next) => put({ ...test, path: next }))} />
          {depth < maxDepth && (
            <Act
              name="add-test"
              place={place}
              act={() => choosePath((next) => put({ all: [test, { path: next, op: 'exists' }] }))}
            />
          )}
          {depth < maxDepth && <Act name="negate" place={place} act={() => put({ not: test })} />}
          <Act name="remove-test" place={place} act={remove} />
        </Acts>
      )}
    </fieldset>
  )
}

function Acts({ place, children }: { readonly place: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no look of a row of buttons
    <div className="btns" role="group" aria-label={words('editor.acts-of', { place })}>
      {children}
    </div>
  )
}

interface ActProps {
  readonly name: 'add-test' | 'remove-test' | 'remove-tests' | 'change-place' | 'negate'
  readonly place: string
  readonly act: () => void
}

function Act({ name, place, act }: ActProps) {
  return (
    <button type="button" className="btn" onClick={act}>
      {words(`editor.${name}`)}
      <span className="unseen"> {place}</span>
    </button>
  )
}

/** A comparison by another operator, with a value of the kind that it compares with. */
function comparisonWith(path: string, op: Operator, value: Comparison['value']): Test {
  if (withoutValue.includes(op)) return { path, op }
  if (op === 'changedWithin') return { path, op, value: typeof value === 'number' ? value : 3_000 }
  if (op === 'in') return { path, op, value: Array.isArray(value) ? value : listIn(String(value ?? '')) }
  return { path, op, value: Array.isArray(value) ? ((value[0] as Plain | undefined) ?? '') : (value ?? '') }
}

function listIn(text: string): Plain[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(typedValue)
}

/** Numbers and yes or no are compared as such. */
export function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
