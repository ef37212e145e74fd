"""Drives what leap-server does with sound: transcriptions, sounds in chats, and realtime sessions.

    python sounds.py PATH-OF-LEAP-SERVER

It uses the OpenAI package (with openai[realtime]), curl and Python's wave, and a tiny model of random weights: what the answers say means
nothing, how they come does. Each check prints one line; the first that fails ends the program with status 1.
"""

import asyncio
import base64
import contextlib
import io
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import wave

import openai

from support import check, metric, server, wait_for

FIXTURES = pathlib.Path(__file__).parents[1] / "Fixtures"


def samples(seconds, rate, volume=0.3):
    """A tone that rises, as 16-bit samples."""
    count = int(seconds * rate)
    values = (volume * math.sin(2 * math.pi * (200 + 300 * index / rate) * index / rate) for index in range(count))
    return b"".join(struct.pack("<h", int(value * 32767)) for value in values)


def wav(seconds=1.0, rate=16_000, channels=1):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(samples(seconds, rate) * channels)
    return file.getvalue()


def refused(name, call, *words, parameter=None):
    try:
        call()
        check(name, False)
    except openai.BadRequestError as error:
        check(name, all(word in error.body["message"] for word in words)
              and (parameter is None or error.body["param"] == parameter), error)


def transcriptions(client, address, folder):
    create = client.audio.transcriptions.create
    sound = ("sound.wav", wav(2))
    whole = create(model="ears", file=sound)
    check("transcriptions: a text and its cost", whole.text and whole.usage.input_tokens > 25, whole)
    check("transcriptions: as text", create(model="ears", file=sound, response_format="text") == whole.text + "\n")
    reply = create(model="ears", file=sound, response_format="verbose_json")
    check("transcriptions: with length and language", reply.duration == 2 and reply.language == "english"
          and reply.text == whole.text, reply)
    events = list(create(model="ears", file=sound, stream=True))
    check("transcriptions: streamed it is the same",
          "".join(event.delta for event in events[:-1]) == whole.text and events[-1].text == whole.text
          and {event.type for event in events[:-1]} == {"transcript.text.delta"}, events)
    reply = create(model="ears", file=sound, include=["logprobs"])
    check("transcriptions: with log probabilities", len(reply.logprobs) == reply.usage.output_tokens
          and all(token.logprob <= 0 for token in reply.logprobs), reply)
    other = create(model="ears", file=("sound.wav", wav(2, 48_000)))
    # Silence around speech is cut off, at a place that differs by a frame with the rate.
    check("transcriptions: at another rate it takes as many tokens, but for one",
          abs(other.usage.input_tokens - whole.usage.input_tokens) <= 1, (whole.usage, other.usage))
    raw = client.audio.transcriptions.with_raw_response.create(model="ears", file=sound, prompt="Names", language="ja")
    check("transcriptions: what has no effect is named", raw.headers["warning"].endswith('"without effect: prompt"'),
          raw.headers)
    refused("transcriptions: an MP3 file that is none is refused",
            lambda: create(model="ears", file=("sound.mp3", b"ID3" + bytes(100))), "MP3", parameter="file")
    refused("transcriptions: other formats are refused with what is read",
            lambda: create(model="ears", file=("sound.m4a", bytes([0, 0, 0, 32]) + b"ftypM4A ")), "M4A", "WAV, FLAC, MP3", "ffmpeg",
            parameter="file")
    check("transcriptions: channels are mixed down", create(model="ears", file=("s.wav", wav(1, channels=2))).usage.input_tokens > 15)
    raw = client.audio.transcriptions.with_raw_response.create(model="ears", file=("s.wav", wav(2)[:-100]))
    check("transcriptions: of a sound that is cut off what is there is heard, and said",
          raw.status_code == 200 and "cut off" in raw.headers.get("warning", ""), raw.headers)
    refused("transcriptions: times of words are refused",
            lambda: create(model="ears", file=sound, timestamp_granularities=["word"], response_format="verbose_json"),
            parameter="timestamp_granularities[]")
    refused("transcriptions: a language that is not known is refused",
            lambda: create(model="ears", file=sound, language="de"), "en, ja", parameter="language")
    refused("transcriptions: a model without ears is refused", lambda: create(model="demo", file=sound),
            "without a projector", parameter="file")
    (folder / "sound.wav").write_bytes(wav(2))

    def curl(*arguments):
        return subprocess.run(["curl", "-s", *arguments, address + "/v1/audio/transcriptions"], capture_output=True,
                              text=True).stdout
    text = curl("-F", "model=ears", "-F", f"file=@{folder / 'sound.wav'}", "-F", "response_format=text")
    check("transcriptions: curl", text == whole.text + "\n", text)
    events = curl("-N", "-F", "model=ears", "-F", f"file=@{folder / 'sound.wav'}", "-F", "stream=true")
    check("transcriptions: curl streams", '"transcript.text.done"' in events, events)


def chat(client):
    def ask(sound, model="ears", form="wav"):
        return client.chat.completions.create(model=model, max_tokens=4, temperature=0, messages=[{
            "role": "user", "content": [
                {"type": "input_audio", "input_audio": {"data": base64.b64encode(sound).decode(), "format": form}},
                {"type": "text", "text": "What is said?"}]}])
    one, two = ask(wav(1)), ask(wav(2))
    check("chat: sounds are read, 12.5 tokens a second", two.usage.prompt_tokens - one.usage.prompt_tokens == 13, (one, two))
    refused("chat: a model without ears is refused", lambda: ask(wav(), "demo"), "without a projector",
            parameter="messages[0].content[0]")
    refused("chat: another format is refused", lambda: ask(b"none", form="m4a"), "flac", parameter="messages[0]")
    check("chat: the bytes of a sound decide, not the name of its format", ask(wav(1), form="mp3").usage.prompt_tokens == one.usage.prompt_tokens)
    refused("chat: a damaged sound is refused", lambda: ask(wav()[:20]), "cut off")
    refused("chat: a sound that does not fit is refused", lambda: ask(wav(300, 8000)), "300 seconds")


async def until(connection, kind):
    """The event of a kind, and those that came before it."""
    events = []
    async for event in connection:
        events.append(event)
        if event.type == kind:
            return events
    raise AssertionError(f"no {kind} in {[event.type for event in events]}")


async def realtime(address):
    client = openai.AsyncOpenAI(base_url=address + "/v1", api_key="none")
    async with client.realtime.connect(model="demo") as connection:
        session = (await until(connection, "session.created"))[0].session
        check("realtime: a session", session.model == "demo" and session.output_modalities == ["text"], session)
        await connection.conversation.item.create(item={"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "What is the capital of Portugal?"}]})
        await connection.response.create()
        events = await until(connection, "response.done")
        text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
        check("realtime: a question in text is answered", "Lisbon" in text
              and events[-1].response.output[0].content[0].text == text, events)
        await connection.conversation.item.create(item={"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "Tell me a story."}]})
        # Without a wait between: the story could be whole before a later message comes.
        await connection.response.create()
        await connection.response.cancel()
        response = (await until(connection, "response.done"))[-1].response
        check("realtime: a reply is cancelled", response.status == "cancelled", response)
        check("realtime: and not computed any more",
              await asyncio.to_thread(wait_for, lambda: metric(address, "leap_generations_active") == 0))
        await connection.input_audio_buffer.append(audio=base64.b64encode(samples(0.5, 24_000)).decode())
        error = (await until(connection, "error"))[-1].error
        check("realtime: a model without ears says so when somebody speaks", error.code == "unsupported_content", error)
        await connection.input_audio_buffer.append(audio="no Base64")
        error = (await until(connection, "error"))[-1].error
        check("realtime: what is no sound is an error", error.code == "invalid_audio", error)
    async with client.realtime.connect(model="ears") as connection:
        await until(connection, "session.created")
        await connection.session.update(session={"type": "realtime", "max_output_tokens": 6, "audio": {
            "input": {"turn_detection": None, "transcription": {"model": "ears"}}}})
        session = (await until(connection, "session.updated"))[-1].session
        check("realtime: settings", session.max_output_tokens == 6 and session.audio.input.turn_detection is None, session)
        sound = samples(1, 24_000)
        for start in range(0, len(sound), 4800):
            await connection.input_audio_buffer.append(audio=base64.b64encode(sound[start:start + 4800]).decode())
        await connection.input_audio_buffer.commit()
        events = await until(connection, "conversation.item.input_audio_transcription.completed")
        check("realtime: what is said is written down", events[-1].transcript, events[-1])
        await connection.response.create()
        response = (await until(connection, "response.done"))[-1].response
        check("realtime: sound is answered", response.usage.input_tokens > 13, response)
    async with client.realtime.connect(model="ears") as connection:
        await until(connection, "session.created")
        await connection.session.update(session={"type": "realtime", "max_output_tokens": 6})
        silence = bytes(24_000 * 2)
        for piece in [silence, samples(1.5, 24_000), silence, silence]:
            await connection.input_audio_buffer.append(audio=base64.b64encode(piece).decode())
        events = await until(connection, "response.done")
        kinds = [event.type for event in events]
        check("realtime: the server tells turns, and answers at their end",
              kinds.index("input_audio_buffer.speech_started") < kinds.index("input_audio_buffer.speech_stopped")
              < kinds.index("input_audio_buffer.committed") < kinds.index("response.created"), kinds)
        start = next(event.audio_start_ms for event in events if event.type == "input_audio_buffer.speech_started")
        end = next(event.audio_end_ms for event in events if event.type == "input_audio_buffer.speech_stopped")
        check("realtime: where they are", 500 <= start <= 1100 and 2500 <= end <= 3500, (start, end))
    check("realtime: nothing goes on behind connections that are closed",
          await asyncio.to_thread(wait_for, lambda: metric(address, "leap_http_requests_active") == 1))
    for model, status in [("nobody", 404)]:
        try:
            async with client.realtime.connect(model=model):
                check("realtime: an unknown model is refused", False)
        except Exception as error:
            response = getattr(error, "response", None)
            check("realtime: an unknown model is refused", response is not None and response.status_code == status, error)


async def keys(program):
    with server(program, "--api-key", "secret") as (address, _):
        for key, isRight in [("wrong", False), ("secret", True)]:
            client = openai.AsyncOpenAI(base_url=address + "/v1", api_key=key)
            with contextlib.suppress(Exception):
                async with client.realtime.connect(model="demo") as connection:
                    check("realtime: the right key is let in", isRight and await until(connection, "session.created"))
                    continue
            check("realtime: a wrong key is not", not isRight)


def recording():
    """A question, brought from 16,000 samples a second to the protocol's 24,000."""
    with wave.open(str(FIXTURES.parents[1] / "Sources" / "LeapAudioDemoModel" / "Resources" / "whereabouts.wav")) as sound:
        values = struct.unpack(f"<{sound.getnframes()}h", sound.readframes(sound.getnframes()))
    places = (index * 2 / 3 for index in range(len(values) * 3 // 2 - 2))
    return b"".join(struct.pack("<h", int(values[int(place)] + (place % 1) * (values[int(place) + 1] - values[int(place)]))) for place in places)


async def spoken(address):
    """The sound and the transcript of an answer."""
    client = openai.AsyncOpenAI(base_url=address + "/v1", api_key="none")
    async with client.realtime.connect(model="demo-audio") as connection:
        await until(connection, "session.created")
        await connection.session.update(session={"type": "realtime", "output_modalities": ["audio"], "audio": {
            "input": {"turn_detection": None}}})
        await until(connection, "session.updated")
        await connection.input_audio_buffer.append(audio=base64.b64encode(recording()).decode())
        await connection.input_audio_buffer.commit()
        await connection.response.create()
        events = await until(connection, "response.done")
    raw = b"".join(base64.b64decode(event.delta) for event in events if event.type == "response.output_audio.delta")
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(24_000)
        sound.writeframes(raw)
    return file.getvalue(), "".join(event.delta for event in events if event.type == "response.output_audio_transcript.delta")


def speech(program):
    """With the demo model that speaks: what is said is heard again."""
    with server(program, "demo-audio") as (address, _):
        client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)

        def heard(file):
            return client.audio.transcriptions.create(model="demo-audio", file=("said.wav", file)).text

        said = client.audio.speech.create(model="demo-audio", voice="us_male", input="The lamp is on.", response_format="wav").read()
        check("speech: a WAV file whose words are heard", said.startswith(b"RIFF") and heard(said) == "The lamp is on.", heard(said))
        with wave.open(io.BytesIO(said)) as sound:
            check("speech: its header has its length", sound.getnframes() == (len(said) - 44) // 2 > 12_000, sound.getparams())
        with client.audio.speech.with_streaming_response.create(
                model="demo-audio", voice="us_male", input="The lamp is on.", response_format="wav", stream_format="audio") as reply:
            streamed = b"".join(reply.iter_bytes())
        check("speech: streamed it is the same sound, without its length", streamed[44:] == said[44:] and streamed[40:44] == b"\xff" * 4,
              (len(streamed), len(said)))
        raw = client.audio.speech.create(model="demo-audio", voice="alloy", input="The lamp is on.", response_format="pcm").read()
        check("speech: samples without a header", 24_000 < len(raw) < 240_000 and len(raw) % 2 == 0, len(raw))
        small = client.audio.speech.create(model="demo-audio", voice="us_male", input="The lamp is on.", response_format="flac").read()
        check("speech: a FLAC file whose words are heard", small.startswith(b"fLaC") and len(small) < len(said) and heard(small) == "The lamp is on.",
              (len(small), heard(small)))
        refused("speech: formats that are not written", lambda: client.audio.speech.create(
            model="demo-audio", voice="us_male", input="Hello.", response_format="mp3"), "mp3", parameter="response_format")

        def question(**options):
            part = {"type": "input_audio", "input_audio": {"data": base64.b64encode(said).decode(), "format": "wav"}}
            return client.chat.completions.create(
                model="demo-audio", messages=[{"role": "user", "content": [part]}], temperature=0, max_tokens=120, **options)

        message = question(modalities=["text", "audio"], audio={"voice": "us_male", "format": "wav"}).choices[0].message
        sound = base64.b64decode(message.audio.data)
        check("chat: an answer in text and sound, which are the same", heard(sound) == message.audio.transcript, message.audio.transcript)
        pieces = [piece.choices[0].delta.model_dump().get("audio") or {} for piece in question(
            modalities=["text", "audio"], audio={"voice": "us_male", "format": "pcm16"}, stream=True) if piece.choices]
        check("chat: streamed sound", sum(len(piece.get("data") or "") for piece in pieces) > 20_000)
        check("chat: text where no sound is asked for", question().choices[0].message.audio is None)
        sound, transcript = asyncio.run(spoken(address))
        check("realtime: a question is answered in sound, and its transcript says the same", heard(sound) == transcript, transcript)
    with server(program, "demo") as (address, _):
        client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
        refused("speech: a model that does not speak", lambda: client.audio.speech.create(
            model="demo", voice="us_male", input="Hello."), "decoder", parameter="model")


def main():
    program = sys.argv[1]
    speech(program)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # The encoder is found beside the model, by its name.
        shutil.copy(FIXTURES / "vision" / "vision.gguf", folder / "ears.gguf")
        shutil.copy(FIXTURES / "audio" / "mmproj-audio.gguf", folder / "mmproj-ears.gguf")
        # In a short context, so that texts of random weights end soon.
        with server(program, str(folder / "ears.gguf"), "--context", "160") as (address, process):
            client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
            transcriptions(client, address, folder)
            chat(client)
            asyncio.run(realtime(address))
            check("the server is still running", process.poll() is None)
    asyncio.run(keys(program))


if __name__ == "__main__":
    main()
