import { bindable } from '../../../../../src/engine/scenes/bindable.ts'
import type { SceneElement } from '../../../../../src/engine/scenes/document.ts'
import { type DrawnType, elementParts, usualParts } from '../../../../../src/engine/scenes/parts.ts'
import { propsOf } from '../../../../../src/engine/scenes/schema/props.ts'
import type { JsonSchema } from '../../../../../src/engine/scenes/schema/values.ts'
import { words } from '../../../data/words.ts'
import type { Members } from '../draft/changes.ts'
import { useEditing } from '../editing.ts'
import { Bound } from './bound.tsx'
import { CheckBox, ChoiceBox, ColorBox, Group, NumberBox, TextBox } from './boxes.tsx'
import { MediaBox } from './media-box.tsx'
import styles from './properties.module.css'
import { Gradient, Points } from './shape-fields.tsx'

/** The properties that depend on the type of an element, by the schema of the type. */

export interface OfElement {
  readonly element: SceneElement
  readonly isShut: boolean
  readonly set: (members: Members, joins?: boolean) => boolean
}

/** What is bound to the data in place of the field: the content of elements. */
const content: ReadonlySet<string> = new Set(['text', 'value', 'total', 'media', 'source', 'side', 'player', 'max'])
/** Members that are shown with others, or not at all. */
const numbersFirst = ['size', 'weight'] as const

const fontsOfPages = ['sans', 'display', 'serif', 'mono'] as const

export function Props({ id, element, isShut, set }: OfElement & { readonly id: string }) {
  const schema = propsOf[element.type].properties ?? {}
  const names = Object.keys(schema)
  const own = names.filter((name) => content.has(name))
  const look = [
    ...numbersFirst.filter((name) => names.includes(name)),
    ...names.filter((name) => !content.has(name) && !numbersFirst.some((each) => each === name)),
  ]
  const field = (name: string) => (
    <Field key={name} name={name} schema={schema[name] ?? {}} element={element} isShut={isShut} set={set} />
  )
  // The address of a picture is bound, and never typed.
  const hasAddress = Object.hasOwn(bindable[element.type], 'address')
  return (
    <>
      {(own.length > 0 || hasAddress) && (
        <Group title={words('editor.content')}>
          {hasAddress && <Bound property="address" element={element} isShut={isShut} set={set} />}
          {own.map(field)}
        </Group>
      )}
      {look.length > 0 && <Group title={words('editor.look')}>{look.map(field)}</Group>}
      <details className={styles.more} key={id}>
        <summary>{words('editor.edge')}</summary>
        <Edge element={element} isShut={isShut} set={set} />
      </details>
    </>
  )
}

interface FieldProps extends OfElement {
  readonly name: string
  readonly schema: JsonSchema
}

function Field({ name, schema, element, isShut, set }: FieldProps) {
  const { document: scenes } = useEditing()
  const value = element.props?.[name]
  const canBind = Object.hasOwn(bindable[element.type], name)
  const isBound = Object.values(element.bindings ?? {}).some(({ property }) => property === name)
  if (name === 'outline') return <Outline element={element} isShut={isShut} set={set} />
  if (name === 'points')
    return element.props?.form === 'polygon' && <Points element={element} isShut={isShut} set={set} />
  if (name === 'gradient') return <Gradient element={element} isShut={isShut} set={set} />
  const label = words(`editor.prop-${name as 'color'}`)
  const commit = (next: unknown, joins?: boolean) => set({ [`props.${name}`]: next }, joins)
  const common = { label, disabled: isShut, commit }
  const box = () => {
    if (name === 'media' || name === 'fallback')
      return (
        <MediaBox
          {...common}
          kind={element.type === 'video' ? 'overlay_video' : 'overlay_image'}
          value={value as string | undefined}
        />
      )
    if (name === 'font' || name === 'displayFont') {
      const families = Object.values(scenes.fonts ?? {}).map(({ family }) => [family, family] as const)
      const usual = fontsOfPages.map((each) => [each, words(`editor.font-${each}`)] as const)
      return <ChoiceBox {...common} value={value as string | undefined} choices={[...usual, ...families]} />
    }
    if (schema.$ref === '#/$defs/color')
      return <ColorBox {...common} value={value as string | undefined} variables={scenes.variables ?? {}} />
    if (schema.enum !== undefined)
      return (
        <ChoiceBox
          {...common}
          value={value as string | number | undefined}
          choices={schema.enum.map((each) => [each as string | number, valueText(each)])}
        />
      )
    if (schema.type === 'number' || schema.type === 'integer')
      return <NumberBox {...common} value={value as number | undefined} />
    if (schema.type === 'boolean') return <CheckBox {...common} value={value === true} />
    if (name === 'text' || name === 'source')
      return <TextBox {...common} isLong={name === 'text'} value={(value as string | undefined) ?? ''} />
    if (name === 'parts') return <Parts {...common} type={element.type as DrawnType} value={value} />
    if (name === 'colors') return <Colors {...common} value={value} variables={scenes.variables ?? {}} />
    return null
  }
  const isBrief = !content.has(name)
  const bound = canBind && <Bound property={name} element={element} isShut={isShut} set={set} isBrief={isBrief} />
  if (canBind && isBrief && !isBound)
    return (
      <div className={styles.bindable}>
        {box()}
        {bound}
      </div>
    )
  return (
    <>
      {!isBound && box()}
      {bound}
    </>
  )
}

/** Numbers and forms of clocks say it themselves. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && /^\w+$/.test(value) ? words(`editor.value-${value as 'left'}`) : String(value)

interface ListProps {
  readonly label: string
  readonly value: unknown
  readonly disabled: boolean
  readonly commit: (value: unknown) => boolean
}

function Outline({ element, isShut, set }: OfElement) {
  const { document: scenes } = useEditing()
  const outline = (element.props?.outline ?? {}) as { readonly width?: number; readonly color?: string }
  const put = (members: typeof outline, joins?: boolean) => set({ 'props.outline': { ...outline, ...members } }, joins)
  return (
    <>
      <NumberBox
        label={words('editor.outline-width')}
        value={outline.width}
        disabled={isShut}
        commit={(width, joins) => width !== undefined && put({ width }, joins)}
      />
      <ColorBox
        label={words('editor.outline-color')}
        value={outline.color}
        disabled={isShut}
        variables={scenes.variables ?? {}}
        commit={(color) => color !== undefined && put({ color })}
      />
    </>
  )
}

/** What of a drawn element is shown: the usual parts, until others are chosen. */
function Parts({ label, value, disabled, commit, type }: ListProps & { readonly type: DrawnType }) {
  const all: readonly string[] = elementParts[type]
  const usual = usualParts(type)
  const chosen = Array.isArray(value) && value.length > 0 ? (value as readonly string[]) : usual
  return (
    <fieldset className={styles.parts}>
      <legend>{label}</legend>
      {all.map((part) => (
        <CheckBox
          key={part}
          label={words(`editor.part-${part as 'title'}`)}
          value={chosen.includes(part)}
          disabled={disabled}
          commit={(isOn) => {
            const next = all.filter((each) => (each === part ? isOn : chosen.includes(each)))
            return commit(next.length === 0 || next.join() === usual.join() ? undefined : next)
          }}
        />
      ))}
    </fieldset>
  )
}

function Colors({
  label,
  value,
  disabled,
  commit,
  variables,
}: ListProps & { readonly variables: Readonly<Record<string, string | number | boolean>> }) {
  const colors = Array.isArray(value) ? (value as readonly string[]) : []
  return [0, 1].map((at) => (
    <ColorBox
      key={at}
      label={`${label} ${at + 1}`}
      value={colors[at]}
      disabled={disabled || at > colors.length}
      variables={variables}
      commit={(color) => {
        const next =
          color === undefined
            ? colors.filter((_, each) => each !== at)
            : [...colors.slice(0, at), color, ...colors.slice(at + 1)]
        return commit(next.length === 0 ? undefined : next)
      }}
    />
  ))
}

const shapes = ['none', 'rectangle', 'ellipse', 'parallelogram'] as const

/** Border, shadow and mask, which all types have. */
function Edge({ element, isShut, set }: OfElement) {
  const { document: scenes } = useEditing()
  const variables = scenes.variables ?? {}
  const { border = {}, shadow = {}, mask = {} } = element
  const number = (part: 'border' | 'shadow' | 'mask', member: string, value: number | undefined) => (
    <NumberBox
      label={words(`editor.edge-${part}-${member as 'width'}` as 'editor.edge-border-width')}
      value={value}
      disabled={isShut}
      commit={(next, joins) => set({ [`${part}.${member}`]: next }, joins)}
    />
  )
  const color = (part: 'border' | 'shadow', value: string | undefined) => (
    <ColorBox
      label={words(`editor.edge-${part}-color`)}
      value={value}
      disabled={isShut}
      variables={variables}
      commit={(next) => set({ [`${part}.color`]: next })}
    />
  )
  return (
    <div className={styles.group}>
      <div className={styles.pairs}>{number('border', 'width', border.width)}</div>
      {color('border', border.color)}
      {color('shadow', shadow.color)}
      <div className={styles.pairs}>
        {number('shadow', 'x', shadow.x)}
        {number('shadow', 'y', shadow.y)}
        {number('shadow', 'blur', shadow.blur)}
      </div>
      <ChoiceBox
        label={words('editor.edge-mask-shape')}
        value={mask.shape}
        disabled={isShut}
        choices={shapes.map((each) => [each, words(`editor.value-${each}`)])}
        commit={(next) => set({ 'mask.shape': next })}
      />
      <div className={styles.pairs}>
        {number('mask', 'radius', mask.radius)}
        {number('mask', 'skew', mask.skew)}
      </div>
    </div>
  )
}
