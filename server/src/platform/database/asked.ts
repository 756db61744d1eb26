import pg from 'pg'

/** A statement that a connection keeps prepared. */
export interface Prepared {
  name: string
  text: string
  /** What its rows are made of, once it was answered: that stays for as long as it is prepared. */
  shape?: Shape
}
interface Shape {
  fields: pg.FieldDef[]
  parsers: ((text: string) => unknown)[]
  empty: object
}
const NOTHING: Shape = { fields: [], parsers: [], empty: {} }

export interface Answer {
  fields: pg.FieldDef[]
  rows: object[]
}

/** What of the driver its types do not tell. */
interface Wire {
  parsedStatements: Record<string, string>
  bind(what: object): void
  execute(what: object): void
  sync(): void
}
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils
const DriverQuery = pg.Query as unknown as new (
  text: string,
) => pg.Submittable & { text: string; prepare(wire: Wire): void; handleError(error: unknown): void }

/**
 * A prepared statement with its values, on its way: as the driver's own query, which has each described every time, and
 * makes of that how its rows are read. It is awaited like what the driver gives for a question.
 */
export class Asked extends DriverQuery implements PromiseLike<Answer> {
  readonly name: string
  readonly values: unknown[]
  readonly #prepared: Prepared
  readonly #types: pg.CustomTypesConfig
  readonly #answer: Promise<Answer>
  readonly #rows: object[] = []
  #shape: Shape
  #unread: unknown
  /** The driver calls it where the question fails. */
  callback!: (error: unknown) => void
  #give!: (answer: Answer) => void

  constructor(prepared: Prepared, values: unknown[], types: pg.CustomTypesConfig) {
    super(prepared.text)
    this.name = prepared.name
    this.values = values
    this.#prepared = prepared
    this.#types = types
    this.#shape = prepared.shape ?? NOTHING
    this.#answer = new Promise<Answer>((give, refuse) => {
      this.#give = give
      this.callback = refuse
    }).catch((error: object) => {
      // From the socket that told of it to whoever asked.
      Error.captureStackTrace(error)
      throw error
    })
  }

  // biome-ignore lint/suspicious/noThenProperty: whoever stands between us and the driver awaits what it gives.
  then<A = Answer, B = never>(
    given?: ((answer: Answer) => A | PromiseLike<A>) | null,
    refused?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(given, refused)
  }

  override prepare(wire: Wire) {
    if (!this.#prepared.shape || !(this.name in wire.parsedStatements)) return super.prepare(wire)
    wire.bind({ statement: this.name, values: this.values, valueMapper: prepareValue })
    wire.execute({})
    wire.sync()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
    this.#shape = {
      fields,
      parsers: fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID, 'text')),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    }
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }) {
    const { fields, parsers, empty } = this.#shape
    const row: Record<string, unknown> = { ...empty }
    try {
      for (const [i, value] of values.entries()) if (value !== null) row[fields[i]!.name] = parsers[i]!(value)
      this.#rows.push(row)
    } catch (error) {
      this.#unread ??= error
    }
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.#prepared.shape = this.#shape
    if (this.#unread === undefined) this.#give({ fields: this.#shape.fields, rows: this.#rows })
    else this.handleError(this.#unread)
  }
}
