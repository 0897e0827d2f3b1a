/**
 * Dates and times, with cargo's order of checks: the whole date, time or offset is read before its numbers are checked.
 * TOML: Offset Date-Time, Local Date-Time, Local Date, Local Time.
 */

/** The reason why a text is not a date or time. */
export interface DatetimeProblem {
  readonly problem: string;
}

/** A number, a separator, or all of the text from an unexpected character on. */
const TOKEN = /\d+|[-:Tt Zz+.]|[^]+/y;

/**
 * Returns the printed form of a date or time, or the problem with it. The form has `T` between date and time, seconds
 * if they are written, and at most nine fraction digits without trailing zeros (except a first one).
 */
export function normalizeDatetime(text: string): string | DatetimeProblem {
  return new DatetimeReader(text).read();
}

/** A reader of one text, token by token. Each method reads the next tokens. */
class DatetimeReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): string | DatetimeProblem {
    const first = this.#next();
    if (!isDigits(first)) return invalid(null, 'year or hour');
    const separator = this.#next();
    let date: string | null = null;
    if (separator === '-') {
      const dateOrProblem = this.#date(first);
      if (typeof dateOrProblem !== 'string') return dateOrProblem;
      date = dateOrProblem;
      const timeMark = this.#next();
      if (timeMark === '') return date;
      if (!/^[Tt ]$/.test(timeMark)) return invalid('date-time', '`T` between date and time');
    } else if (separator === ':') {
      // The first number is an hour: read it again as a part of the time.
      this.#position = 0;
    } else {
      return invalid(null, '`-` (YYYY-MM) or `:` (HH:MM)');
    }
    const time = this.#time();
    if (typeof time !== 'string') return time;
    let printed = date === null ? time : `${date}T${time}`;
    if (date !== null) {
      const offset = this.#offset();
      if (typeof offset !== 'string') return offset;
      printed += offset;
    }
    return this.#position < this.#text.length ? invalid(null, null) : printed;
  }

  /** Consumes the next token; empty at the end. */
  #next(): string {
    TOKEN.lastIndex = this.#position;
    const token = TOKEN.exec(this.#text)?.[0] ?? '';
    this.#position += token.length;
    return token;
  }

  /** Returns the next token without consuming it; empty at the end. */
  #peek(): string {
    const before = this.#position;
    const token = this.#next();
    this.#position = before;
    return token;
  }

  /** Reads the rest of a date, after `year` and `-`. */
  #date(year: string): string | DatetimeProblem {
    const month = this.#next();
    if (!isDigits(month)) return invalid('date', 'month');
    if (this.#next() !== '-') return invalid('date', '`-` (MM-DD)');
    const day = this.#next();
    if (!isDigits(day)) return invalid('date', 'day');
    if (year.length !== 4) return invalid('date', 'a four-digit year (YYYY)');
    if (month.length !== 2) return invalid('date', 'a two-digit month (MM)');
    if (day.length !== 2) return invalid('date', 'a two-digit day (DD)');
    const monthNumber = Number(month);
    if (monthNumber < 1 || monthNumber > 12) return invalid('date', 'month between 01 and 12');
    const days = daysInMonth(Number(year), monthNumber);
    if (Number(day) < 1 || Number(day) > days) return invalid('date', `day between 01 and ${days}`);
    return `${year}-${month}-${day}`;
  }

  /** Reads a time. */
  #time(): string | DatetimeProblem {
    const hour = this.#next();
    if (!isDigits(hour)) return invalid('time', 'hour');
    if (this.#next() !== ':') return invalid('time', '`:` (HH:MM)');
    const minute = this.#next();
    if (!isDigits(minute)) return invalid('time', 'minute');
    let second: string | null = null;
    let fraction = '';
    if (this.#peek() === ':') {
      this.#next();
      second = this.#next();
      if (!isDigits(second)) return invalid('time', 'second');
      if (this.#peek() === '.') {
        this.#next();
        fraction = this.#next();
        if (!isDigits(fraction)) return invalid('time', 'nanosecond');
      }
    }
    if (hour.length !== 2) return invalid('time', 'a two-digit hour (HH)');
    if (minute.length !== 2) return invalid('time', 'a two-digit minute (MM)');
    if (second !== null && second.length !== 2) return invalid('time', 'a two-digit second (SS)');
    if (Number(hour) > 23) return invalid('time', 'hour between 00 and 23');
    if (Number(minute) > 59) return invalid('time', 'minute between 00 and 59');
    if (Number(second) > 60) return invalid('time', 'second between 00 and 60');
    const seconds = second === null ? '' : `:${second}`;
    const nanoseconds = fraction.slice(0, 9).replace(/(?<=.)0+$/, '');
    return `${hour}:${minute}${seconds}${nanoseconds === '' ? '' : `.${nanoseconds}`}`;
  }

  /** Reads the offset from UTC; empty if there is none. */
  #offset(): string | DatetimeProblem {
    const sign = this.#next();
    if (sign === '') return '';
    if (sign === 'Z' || sign === 'z') return 'Z';
    if (sign !== '+' && sign !== '-') return invalid('offset', '`Z`, +OFFSET, -OFFSET');
    const hours = this.#next();
    if (!isDigits(hours)) return invalid('offset', 'hour');
    if (this.#next() !== ':') return invalid('offset', '`:` (HH:MM)');
    const minutes = this.#next();
    if (!isDigits(minutes)) return invalid('offset', 'minute');
    if (hours.length !== 2) return invalid('offset', 'a two-digit hour (HH)');
    if (minutes.length !== 2) return invalid('offset', 'a two-digit minute (MM)');
    if (Number(hours) > 23) return invalid('offset', 'hours between 00 and 23');
    if (Number(minutes) > 59) return invalid('offset', 'minutes between 00 and 59');
    // A zero offset always has the sign `+`.
    return hours === '00' && minutes === '00' ? '+00:00' : `${sign}${hours}:${minutes}`;
  }
}

function isDigits(token: string): boolean {
  return /^\d/.test(token);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns a problem with `what` (null: with the whole value). `expected` is null for superfluous text. */
function invalid(what: string | null, expected: string | null): DatetimeProblem {
  return { problem: `invalid ${what ?? 'datetime'}${expected === null ? '' : `, expected ${expected}`}` };
}
