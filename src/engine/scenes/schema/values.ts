/** The part of JSON Schema that scenes use. (overlays: Scene document) */
export interface JsonSchema {
  readonly $schema?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly allOf?: readonly JsonSchema[]
  readonly then?: JsonSchema
  readonly if?: JsonSchema
  readonly else?: JsonSchema
}

/** The schema of an object with these members and no others. */
export function closed(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties,
  }
}

export function number(minimum: number, maximum: number): JsonSchema {
  return { type: 'number', minimum, maximum }
}

export function whole(minimum: number, maximum: number): JsonSchema {
  return { type: 'integer', minimum, maximum }
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` }
}

export const yesNo: JsonSchema = { type: 'boolean' }
