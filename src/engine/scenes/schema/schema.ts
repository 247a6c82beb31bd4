import { operators } from '../conditions.ts'
import { type ElementType, easings, elementTypes, motionKinds, sceneRoles } from '../document.ts'
import { propsOf } from './props.ts'
import { closed, type JsonSchema, number, ref, whole, yesNo } from './values.ts'

/**
 * The JSON Schema of scene documents, for their authors and for the service itself. Rules that no schema can express
 * (sizes in bytes, parents, depth of conditions, bindable properties) are in `soundness.ts`.
 * (overlays: Scene document; OV1, OV7, OV9)
 */

/** Limits of a scene document. (OV7) */
export const sceneLimits = {
  /** Size of the document as JSON. */
  bytes: 1_048_576,
  scenes: 20,
  elementsOfScene: 500,
  elements: 2_000,
} as const

const color = '#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?|var\\([a-z][A-Za-z0-9]{0,31}\\)'
const memberName = '^[a-z][A-Za-z0-9]{0,31}$'
const id = '^[a-z0-9]{8,16}$'

const motion = closed(
  {
    kind: { enum: motionKinds },
    direction: { enum: ['up', 'down', 'left', 'right'] },
    durationMs: whole(0, 5_000),
    delayMs: whole(0, 5_000),
    easing: { enum: easings },
  },
  ['kind'],
)

/** Chooses the schema by the member `op`, so that faults are reported for the form that the author meant. */
const test: JsonSchema = {
  if: { type: 'object', required: ['op'] },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
  then: ref('comparison'),
  else: ref('combination'),
}

/** Ids of bindings and conditions: the editor chooses them, from plain words. */
const words: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' }
const property: JsonSchema = { type: 'string', minLength: 1, maxLength: 60 }

const shared: Readonly<Record<string, JsonSchema>> = {
  id: { type: 'string', pattern: id },
  guid: { type: 'string', format: 'uuid' },
  order: { type: 'string', pattern: '^[A-Za-z0-9]{1,64}$' },
  color: { type: 'string', pattern: `^(${color})$` },
  path: { type: 'string', maxLength: 120, pattern: '^[a-z][A-Za-z0-9]*(\\.([a-zA-Z][A-Za-z0-9]*|[0-9]{1,2}))*$' },
  plain: { type: ['string', 'number', 'boolean', 'null'], maxLength: 2_000 },
  motion,
  format: closed(
    {
      name: { type: 'string', minLength: 1, maxLength: 60 },
      args: { type: 'array', maxItems: 6, items: ref('plain') },
    },
    ['name'],
  ),
  binding: closed(
    {
      property,
      path: ref('path'),
      format: { type: 'array', maxItems: 4, items: ref('format') },
      fallback: ref('plain'),
    },
    ['property', 'path'],
  ),
  test,
  comparison: closed(
    {
      path: ref('path'),
      op: { enum: operators },
      value: {
        type: ['string', 'number', 'boolean', 'null', 'array'],
        maxLength: 2_000,
        maxItems: 20,
        items: ref('plain'),
      },
    },
    ['path', 'op'],
  ),
  combination: {
    ...closed({ all: ref('tests'), any: ref('tests'), not: ref('test') }),
    minProperties: 1,
    maxProperties: 1,
  },
  tests: { type: 'array', minItems: 1, maxItems: 10, items: ref('test') },
  condition: closed(
    {
      when: ref('test'),
      set: {
        type: 'object',
        minProperties: 1,
        maxProperties: 5,
        propertyNames: property,
        additionalProperties: ref('plain'),
      },
    },
    ['when', 'set'],
  ),
}

const elementMembers: Readonly<Record<string, JsonSchema>> = {
  type: { enum: elementTypes },
  name: { type: 'string', maxLength: 60 },
  parent: { type: ['string', 'null'], pattern: id },
  order: ref('order'),
  x: number(-10_000, 10_000),
  y: number(-10_000, 10_000),
  width: number(1, 8_192),
  height: number(1, 8_192),
  rotation: number(-360, 360),
  opacity: number(0, 1),
  visible: yesNo,
  locked: yesNo,
  keepAspect: yesNo,
  mask: closed({
    shape: { enum: ['none', 'rectangle', 'ellipse', 'parallelogram'] },
    radius: number(0, 4_096),
    skew: number(-60, 60),
  }),
  border: closed({ width: number(0, 100), color: ref('color') }),
  shadow: closed({
    x: number(-1_000, 1_000),
    y: number(-1_000, 1_000),
    blur: number(0, 100),
    color: ref('color'),
  }),
  props: { type: 'object', maxProperties: 40 },
  bindings: { type: 'object', maxProperties: 20, propertyNames: words, additionalProperties: ref('binding') },
  conditions: { type: 'object', maxProperties: 10, propertyNames: words, additionalProperties: ref('condition') },
  animation: closed({ enter: ref('motion'), exit: ref('motion'), change: ref('motion') }),
}

const elementNeeds = ['type', 'name', 'order', 'x', 'y', 'width', 'height'] as const

const sceneHead: Readonly<Record<string, JsonSchema>> = {
  name: { type: 'string', minLength: 1, maxLength: 60 },
  order: ref('order'),
  role: { enum: sceneRoles },
  transition: ref('motion'),
}

const canvas = closed(
  {
    width: whole(320, 3_840),
    height: whole(180, 2_160),
    background: { type: 'string', pattern: `^(transparent|${color})$` },
  },
  ['width', 'height', 'background'],
)

const variables: JsonSchema = {
  type: 'object',
  maxProperties: 50,
  propertyNames: { pattern: memberName },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 200 },
}

const fonts: JsonSchema = {
  type: 'object',
  maxProperties: 10,
  propertyNames: words,
  additionalProperties: closed(
    {
      family: { type: 'string', pattern: '^[A-Za-z0-9 ]{1,40}$' },
      media: ref('guid'),
      weight: { enum: [400, 500, 600, 700, 800, 900] },
      italic: yesNo,
    },
    ['family', 'media'],
  ),
}

/** The schema as it is published. */
export const sceneSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'scene',
  title: 'Scene document of an overlay',
  ...closed(
    {
      schemaVersion: { const: 1 },
      canvas,
      variables,
      fonts,
      scenes: {
        type: 'object',
        minProperties: 1,
        maxProperties: sceneLimits.scenes,
        propertyNames: ref('id'),
        additionalProperties: ref('scene'),
      },
    },
    ['schemaVersion', 'canvas', 'scenes'],
  ),
  $defs: {
    ...shared,
    scene: closed(
      {
        ...sceneHead,
        elements: {
          type: 'object',
          maxProperties: sceneLimits.elementsOfScene,
          propertyNames: ref('id'),
          additionalProperties: ref('element'),
        },
      },
      ['name', 'order', 'elements'],
    ),
    element: {
      ...closed(elementMembers, elementNeeds),
      allOf: elementTypes.map((type) => ({
        if: { properties: { type: { const: type } }, required: ['type'] },
        // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
        then: { properties: { props: ref(`${type}Props`) } },
      })),
    },
    ...Object.fromEntries(elementTypes.map((type) => [`${type}Props`, propsOf[type]])),
  },
}

/**
 * The schema in parts, each complete by itself, so that a change of one element costs the validation of only that
 * element.
 */
export const partSchemas = {
  canvas: part(canvas),
  variables: part(variables),
  fonts: part(fonts),
  /** A scene without its elements. */
  scene: part(closed(sceneHead, ['name', 'order'])),
  id: part(ref('id')),
} as const

/** The schema of an element of the given type. */
export function elementSchema(type: ElementType): JsonSchema {
  return part(closed({ ...elementMembers, props: propsOf[type] }, elementNeeds))
}

/** The schema of an element of unknown type. Its `props` are not checked by type. */
export const anyElementSchema = part(closed(elementMembers, elementNeeds))

function part(schema: JsonSchema): JsonSchema {
  return { ...schema, $defs: shared }
}
