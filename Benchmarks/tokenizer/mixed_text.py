#!/usr/bin/env python3
"""One megabyte of mixed text, the same on every machine with the same Python: mixed_text.py OUT [BYTES]

Half is English and code (the documentation and sources in Python's own library), half is text in 20 languages and scripts, which a
Markov chain over the sentences below makes: real letters in real order, but more different words than a real text has.
"""
import pydoc_data.topics
import inspect
import json.decoder
import random
import sys
import textwrap

SENTENCES = """Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen.
Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.
Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.
Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns para com os outros em espírito de fraternidade.
Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.
Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.
Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.
Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con người đều được tạo hoá ban cho lý trí và lương tâm.
Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.
Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум и съвест и следва да се отнасят помежду си в дух на братство.
Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση.
כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.
يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.
सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।
সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে। তাঁদের বিবেক এবং বুদ্ধি আছে; সুতরাং সকলেরই একে অপরের প্রতি ভ্রাতৃত্বসুলভ মনোভাব নিয়ে আচরণ করা উচিত।
มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ
人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人人有资格享有本宣言所载的一切权利和自由，不分种族、肤色、性别、语言、宗教。
すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。
모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.
🦊 emoji 👩‍👩‍👧 and 🚀 numbers 3.14159, 1,234,567 ½ ² and symbols → ≤ ∑ € £ © — “quoted” ‘text’ … 100% #hash @name https://example.org/?q=1&r=2"""


def markov(sentence, size, chooser):
    order = 2
    following = {}
    text = sentence + "\n" + sentence[:order]
    for index in range(len(text) - order):
        following.setdefault(text[index : index + order], []).append(text[index + order])
    state, result, length = text[:order], [], 0
    while length < size:
        letter = chooser.choice(following[state])
        result.append(letter)
        length += len(letter.encode())
        state = state[1:] + letter
    return "".join(result)


def main(path, size):
    chooser = random.Random(7)
    english = "\n\n".join(pydoc_data.topics.topics[name] for name in sorted(pydoc_data.topics.topics))
    code = inspect.getsource(json.decoder) + inspect.getsource(random) + inspect.getsource(textwrap)
    sentences = SENTENCES.split("\n")
    parts, length, englishAt, codeAt = [], 0, 0, 0
    while length < size:
        part = [english[englishAt : englishAt + 1500], code[codeAt : codeAt + 500]]
        englishAt = (englishAt + 1500) % (len(english) - 1500)
        codeAt = (codeAt + 500) % (len(code) - 500)
        part += [markov(chooser.choice(sentences), 500, chooser) for _ in range(4)]
        parts.append("\n".join(part))
        length += len(parts[-1].encode())
    with open(path, "wb") as file:
        file.write("\n".join(parts).encode()[:size].decode(errors="ignore").encode())


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000)
