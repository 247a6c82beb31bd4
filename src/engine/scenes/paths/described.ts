/**
 * The types of a description of the tree. They mirror the type of the tree, so that a missing or an extra member does
 * not compile.
 */

export type TextType = 'text' | 'instant' | 'color' | 'address' | 'guid'
export type ValueType = TextType | 'number' | 'boolean'

export interface Group<T> {
  readonly words: string
  readonly of: Described<T>
}

export interface Rows<E> {
  readonly words: string
  /** The greatest length of the list; null if the flow decides it. */
  readonly most: number | null
  readonly each: E extends string | number | boolean ? Value<E> : Described<NonNullable<E>>
}

/** Members whose names a document or a controller chooses. */
export interface Named {
  readonly words: string
  readonly named: true
}

type Value<T> = readonly [
  T extends string ? TextType : T extends number ? 'number' : T extends boolean ? 'boolean' : never,
  words: string,
]

type Member<T> = [T] extends [string]
  ? readonly [TextType, words: string]
  : [T] extends [number]
    ? readonly ['number', words: string]
    : [T] extends [boolean]
      ? readonly ['boolean', words: string]
      : [T] extends [readonly (infer E)[]]
        ? Rows<E>
        : string extends keyof T
          ? Named
          : Group<T>

export type Described<T> = { readonly [Name in keyof T]-?: Member<NonNullable<T[Name]>> }
